import type { IndexEntry } from '../store/index-entry.ts';
import type { DateCriterion, PositiveCondition, SearchCondition } from '../store/query.ts';
import { type Term, termOf } from '../store/term.ts';
import { anyDate, type DateGroup, groupDates, type MergedDate } from './merge-conditions.ts';

type TimeCondition = Extract<PositiveCondition, { readonly on: 'date' | 'at' }>;

/** A criterion for the end of a time. */
type EndCriterion = DateCriterion & { readonly prefix: Exclude<MergedDate['prefix'], 'eq' | 'ap'> };

/** A condition on the beginning of a time, and the `end` that the same time must have. */
type JoinedCondition = TimeCondition & { readonly end: EndCriterion };

const beginnings: readonly DateCriterion['prefix'][] = ['gt', 'ge', 'sa'];
const ends: readonly DateCriterion['prefix'][] = ['lt', 'le', 'eb'];

/** The only criterion of a condition on a time of which a record has one, if it has one of the prefixes. */
const soleCriterion = (condition: SearchCondition, prefixes: readonly DateCriterion['prefix'][]) => {
  const isSingle = condition.on === 'at' || (condition.on === 'date' && condition.isSingle === true);
  if (!isSingle || condition.anyOf.length !== 1) return undefined;
  return condition.anyOf.find(({ prefix }) => prefixes.includes(prefix)) as EndCriterion | undefined;
};

const isOfSameTime = (a: SearchCondition, b: SearchCondition): boolean =>
  a.on === b.on && (a.on !== 'date' || b.on !== 'date' || a.parameter === b.parameter);

/**
 * Joins two conditions on the beginning and the end of the same time, such as `ge2026-06` and `lt2026-07`, into one, if a record has
 * only one such time. So an index finds the times between both.
 */
export const joinTimes = (
  conditions: readonly SearchCondition[],
): readonly (SearchCondition | JoinedCondition)[] => {
  const joined = new Set<SearchCondition>();
  const endFor = (begin: SearchCondition): SearchCondition | undefined =>
    soleCriterion(begin, beginnings) &&
    conditions.find((one) => isOfSameTime(one, begin) && !joined.has(one) && soleCriterion(one, ends));
  const found = conditions.map((condition) => {
    const other = endFor(condition);
    const end = other && soleCriterion(other, ends);
    if (other === undefined || end === undefined) return condition;
    joined.add(other);
    return { ...(condition as TimeCondition), end };
  });
  return found.filter((condition) => !joined.has(condition));
};

/** A condition with the keys of terms instead of parameters and references. A list of alternatives is not empty. */
export type ResolvedCondition<Key> =
  | {
      /** The id of the record, or its patient. */
      readonly on: 'id' | 'patient';
      readonly anyOf: readonly string[];
    }
  | {
      /** A token or a reference of the record. */
      readonly on: 'term';
      /** Keys of terms. */
      readonly anyOf: readonly Key[];
    }
  | {
      /** The time of its current version. */
      readonly on: 'at';
      readonly anyOf: readonly DateGroup[];
      /** How the same time must end, too. */
      readonly end?: MergedDate;
    }
  | {
      /** A date of the record. */
      readonly on: 'date';
      /** The key of the term that all dates of the parameter have. */
      readonly term: Key;
      readonly anyOf: readonly DateGroup[];
      /** How the same date must end, too. */
      readonly end?: MergedDate;
    }
  | {
      /** Any token, reference or word under a parameter. */
      readonly on: 'entry';
      readonly kind: Exclude<IndexEntry['kind'], 'date'>;
      readonly parameter: string;
    };

const endOf = (condition: TimeCondition | JoinedCondition) =>
  'end' in condition ? { end: condition.end } : {};

/**
 * Resolves a condition by the keys under which a store keeps terms; `findKey` returns null if no record has the term.
 * Returns null if the condition holds for no record. Each store resolves tokens and strings by itself, because they can name
 * many terms.
 */
export const resolveCondition = <Key>(
  type: string,
  condition: Exclude<PositiveCondition, { readonly on: 'token' | 'string' }> | JoinedCondition,
  findKey: (term: Term) => Key | null,
): ResolvedCondition<Key> | null => {
  if (condition.on === 'entry') {
    const { on, kind, parameter } = condition;
    if (kind !== 'date') return { on, kind, parameter };
    return resolveCondition(type, { on: kind, parameter, anyOf: [anyDate] }, findKey);
  }
  if (condition.anyOf.length === 0) return null;
  switch (condition.on) {
    case 'id':
    case 'patient':
      return condition;
    case 'at':
      return { on: 'at', anyOf: groupDates(condition.anyOf), ...endOf(condition) };
    case 'date': {
      const term = findKey({ type, kind: 'date', parameter: condition.parameter, system: '', code: '' });
      return term === null
        ? null
        : { on: 'date', term, anyOf: groupDates(condition.anyOf), ...endOf(condition) };
    }
    case 'reference': {
      const { parameter } = condition;
      const keys = condition.anyOf.flatMap(
        (reference) => findKey(termOf(type, { kind: 'reference', parameter, ...reference })) ?? [],
      );
      return keys.length === 0 ? null : { on: 'term', anyOf: [...new Set(keys)] };
    }
  }
};
