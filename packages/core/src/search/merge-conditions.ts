import type { DateCriterion, SearchCondition, TokenCriterion } from '../store/query.ts';
import { mergeDates } from './merge-dates.ts';

type ConditionOf<On extends SearchCondition['on']> = Extract<SearchCondition, { readonly on: On }>;

const removeDuplicates = <A>(all: readonly A[]): readonly A[] =>
  all.length < 2 ? all : [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];

const covers = (broad: TokenCriterion, { system, code }: TokenCriterion): boolean =>
  (broad.system === null || broad.system === system) && (broad.code === null || broad.code === code);

/** The criteria that no broader criterion covers. */
const keepBroadest = (criteria: readonly TokenCriterion[]): readonly TokenCriterion[] => {
  const broad = criteria.filter(({ system, code }) => system === null || code === null);
  return removeDuplicates(criteria).filter(
    (one) => !broad.some((other) => other !== one && covers(other, one) && !covers(one, other)),
  );
};

/** The same condition with the fewest alternatives. */
const simplifyCondition = (condition: SearchCondition): SearchCondition => {
  if (condition.anyOf.length < 2 && condition.on !== 'date' && condition.on !== 'at') return condition;
  switch (condition.on) {
    case 'id':
    case 'patient':
      return { ...condition, anyOf: [...new Set(condition.anyOf)] };
    case 'token':
      return { ...condition, anyOf: keepBroadest(condition.anyOf) };
    case 'reference':
      return { ...condition, anyOf: removeDuplicates(condition.anyOf) };
    case 'at':
    case 'date':
      return { ...condition, anyOf: mergeDates(condition.anyOf) };
  }
};

/**
 * A record has only one id and one patient, so several conditions on them are met by the values that all of them name.
 */
const intersectConditions = (
  conditions: readonly ConditionOf<'id' | 'patient'>[],
): readonly SearchCondition[] => {
  const [first, ...others] = conditions;
  if (first === undefined) return [];
  const named = others.reduce((some, { anyOf }) => some.intersection(new Set(anyOf)), new Set(first.anyOf));
  return [{ ...first, anyOf: [...named] }];
};

const isSameDate = (one: DateCriterion, other: DateCriterion | undefined): boolean =>
  one.prefix === other?.prefix && one.from === other.from && one.until === other.until;

/**
 * Up to this many alternatives, two conditions are compared to see whether one implies the other. Beyond that,
 * comparing costs more than it saves.
 */
const maxCompared = 24;

const isSameParameter = (one: SearchCondition, other: SearchCondition): boolean =>
  one.on === other.on &&
  (!('parameter' in one) || !('parameter' in other) || one.parameter === other.parameter);

/** Whether a condition always holds if another one does: the other adds nothing to its alternatives. */
const isImplied = (condition: SearchCondition, other: SearchCondition): boolean => {
  const isLong = condition.anyOf.length + other.anyOf.length > maxCompared;
  if (isLong || !isSameParameter(condition, other)) return false;
  if (condition.on === 'token' && other.on === 'token') {
    return other.anyOf.every((one) => condition.anyOf.some((broad) => covers(broad, one)));
  }
  if ((condition.on === 'date' && other.on === 'date') || (condition.on === 'at' && other.on === 'at')) {
    const joined = mergeDates([...condition.anyOf, ...other.anyOf]);
    return (
      joined.length === condition.anyOf.length &&
      joined.every((date, at) => isSameDate(date, condition.anyOf[at]))
    );
  }
  const joined = simplifyCondition({
    ...condition,
    anyOf: [...condition.anyOf, ...other.anyOf],
  } as SearchCondition);
  return JSON.stringify(joined) === JSON.stringify(condition);
};

/**
 * Merges conditions into the fewest that hold for the same records, so that a store does not look at anything twice.
 * Merging conditions that were already merged does not change them.
 */
export const mergeConditions = (conditions: readonly SearchCondition[]): readonly SearchCondition[] => {
  if (conditions.length < 2) return conditions.map(simplifyCondition);
  const on = <On extends SearchCondition['on']>(kind: On) =>
    conditions.filter((one): one is ConditionOf<On> => one.on === kind);
  const others = conditions.filter((one) => one.on !== 'id' && one.on !== 'patient').map(simplifyCondition);
  const needed = others.filter(
    (one, at) =>
      !others.some(
        (other, otherAt) =>
          otherAt !== at && isImplied(one, other) && (otherAt < at || !isImplied(other, one)),
      ),
  );
  return [...intersectConditions(on('id')), ...intersectConditions(on('patient')), ...needed];
};
