import type { Interval } from '../store/index-entry.ts';
import type {
  DateCriterion,
  DatePrefix,
  PositiveCondition,
  SearchCondition,
  TokenCriterion,
} from '../store/query.ts';

/** A date criterion in the form that `mergeDates` returns: `lt` and `gt` together replace `ne`. */
export type MergedDate = {
  /** How the time of a record must relate to the interval. */
  readonly prefix: Exclude<DatePrefix, 'ne'>;
} & Interval;

/**
 * The union of date criteria. A date is in it if it begins before `beginsBefore` or not before `beginsFrom`, or if it
 * ends by `endsBy` or after `endsAfter`. It is also in it if it is within an interval of `within`, or overlaps one of
 * `overlapping`.
 */
type Union = {
  beginsBefore: number;
  beginsFrom: number;
  endsBy: number;
  endsAfter: number;
  readonly within: Interval[];
  readonly overlapping: Interval[];
};

const earliest = Number.MIN_SAFE_INTEGER;

/** A criterion that every date meets. */
export const anyDate: MergedDate = { prefix: 'gt', from: earliest, until: earliest };

const createUnion = (criteria: readonly DateCriterion[]): Union => {
  const union: Union = {
    beginsBefore: Number.NEGATIVE_INFINITY,
    beginsFrom: Number.POSITIVE_INFINITY,
    endsBy: Number.NEGATIVE_INFINITY,
    endsAfter: Number.POSITIVE_INFINITY,
    within: [],
    overlapping: [],
  };
  const beginsBefore = (time: number) => {
    union.beginsBefore = Math.max(union.beginsBefore, time);
  };
  const beginsFrom = (time: number) => {
    union.beginsFrom = Math.min(union.beginsFrom, time);
  };
  const endsBy = (time: number) => {
    union.endsBy = Math.max(union.endsBy, time);
  };
  const endsAfter = (time: number) => {
    union.endsAfter = Math.min(union.endsAfter, time);
  };
  // An interval never ends before it begins. So a date that meets `ge` ends later, or begins within the interval or
  // later; `le` is its mirror.
  for (const { prefix, from, until } of criteria) {
    if (prefix === 'lt' || prefix === 'le' || prefix === 'ne') beginsBefore(from);
    if (prefix === 'gt' || prefix === 'ge' || prefix === 'ne') endsAfter(until);
    if (prefix === 'ge') beginsFrom(from);
    if (prefix === 'le') endsBy(until);
    if (prefix === 'sa') beginsFrom(until);
    if (prefix === 'eb') endsBy(from);
    if (prefix === 'eq') union.within.push({ from, until });
    if (prefix === 'ap') union.overlapping.push({ from, until });
  }
  return union;
};

/** The intervals that are not within any other. */
const keepOutermost = (intervals: readonly Interval[]): readonly Interval[] => {
  const outer: Interval[] = [];
  for (const interval of intervals.toSorted((a, b) => a.from - b.from || b.until - a.until)) {
    const last = outer.at(-1);
    if (last === undefined || last.until < interval.until) outer.push(interval);
  }
  return outer;
};

/**
 * Merges intervals until no two share a moment. A date overlaps one of the result if and only if it overlaps one of the
 * intervals.
 */
const mergeOverlapping = (intervals: readonly Interval[]): readonly Interval[] => {
  const merged: Interval[] = [];
  for (const { from, until } of intervals.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last === undefined || last.until <= from) merged.push({ from, until });
    else merged.splice(-1, 1, { from: last.from, until: Math.max(last.until, until) });
  }
  return merged;
};

/** The criterion for one side of time: by when a date begins, by when it ends, or by both. */
const createSideCriteria = <Prefix extends MergedDate['prefix']>(
  { from, until }: Interval,
  [byFrom, byUntil, byBoth]: readonly [Prefix, Prefix, Prefix],
): readonly { readonly prefix: Prefix; readonly from: number; readonly until: number }[] => {
  if (Number.isFinite(from) && Number.isFinite(until)) return [{ prefix: byBoth, from, until }];
  if (Number.isFinite(from)) return [{ prefix: byFrom, from, until: from }];
  return Number.isFinite(until) ? [{ prefix: byUntil, from: until, until }] : [];
};

/**
 * Merges date criteria into the fewest that mean the same. There is at most one for the time before, one for the time after, and
 * the `eq` and `ap` criteria that neither covers. Criteria that mean the same are merged into the same list.
 */
export const mergeDates = (criteria: readonly DateCriterion[]): readonly MergedDate[] => {
  const { beginsBefore, beginsFrom, endsBy, endsAfter, within, overlapping } = createUnion(criteria);
  if (beginsFrom <= beginsBefore || endsAfter <= endsBy || endsAfter < beginsBefore) return [anyDate];

  const before = { from: beginsBefore, until: endsBy < beginsBefore ? Number.NEGATIVE_INFINITY : endsBy };
  const after = { from: beginsFrom > endsAfter ? Number.POSITIVE_INFINITY : beginsFrom, until: endsAfter };
  const overlaps = mergeOverlapping(overlapping).filter(
    ({ from, until }) => beginsBefore < until && from < endsAfter,
  );
  const isCovered = ({ from, until }: Interval) =>
    overlaps.some((overlap) => overlap.from < from && until < overlap.until);
  const exact = keepOutermost(within).filter(
    (interval) =>
      interval.from < beginsFrom &&
      interval.until > endsBy &&
      Math.max(interval.from, beginsBefore) <= Math.min(interval.until, endsAfter) &&
      !isCovered(interval),
  );
  return [
    ...createSideCriteria(before, ['lt', 'eb', 'le']),
    ...createSideCriteria(after, ['sa', 'gt', 'ge']),
    ...exact.map((interval) => ({ prefix: 'eq', ...interval }) as const),
    ...overlaps.map((interval) => ({ prefix: 'ap', ...interval }) as const),
  ];
};

/** Merged dates with the same prefix, at least one. */
export type DateGroup = {
  /** How the time of a record must relate to one of the intervals. */
  readonly prefix: MergedDate['prefix'];
  /** The dates. */
  readonly anyOf: readonly MergedDate[];
};

/** Merges date criteria into the fewest that mean the same, by their prefixes. */
export const groupDates = (criteria: readonly DateCriterion[]): readonly DateGroup[] =>
  [...Map.groupBy(mergeDates(criteria), ({ prefix }) => prefix)].map(([prefix, anyOf]) => ({
    prefix,
    anyOf,
  }));

type ConditionOf<On extends SearchCondition['on']> = Extract<SearchCondition, { readonly on: On }>;

const removeDuplicates = <A>(all: readonly A[]): readonly A[] =>
  all.length < 2 ? all : [...new Map(all.map((value) => [JSON.stringify(value), value])).values()];

const covers = (broad: TokenCriterion, { system, code }: TokenCriterion): boolean =>
  (broad.system === null || broad.system === system) && (broad.code === null || broad.code === code);

/** The criteria that no broader criterion covers. */
const keepBroadest = (criteria: readonly TokenCriterion[]): readonly TokenCriterion[] => {
  const broad = criteria.filter(({ system, code }) => system === null || code === null);
  return removeDuplicates(criteria).filter(
    (criterion) =>
      !broad.some(
        (broader) => broader !== criterion && covers(broader, criterion) && !covers(criterion, broader),
      ),
  );
};

/** The beginnings of words that are not within any other. */
const keepShortest = (beginnings: readonly string[]): readonly string[] =>
  [...new Set(beginnings)].filter(
    (beginning) =>
      !beginnings.some((shorter) => shorter.length < beginning.length && beginning.startsWith(shorter)),
  );

const simplifyPositive = (condition: PositiveCondition): PositiveCondition => {
  if (condition.on === 'entry') return condition;
  if (condition.anyOf.length < 2 && condition.on !== 'date' && condition.on !== 'at') return condition;
  switch (condition.on) {
    case 'id':
    case 'patient':
      return { ...condition, anyOf: [...new Set(condition.anyOf)] };
    case 'token':
      return { ...condition, anyOf: keepBroadest(condition.anyOf) };
    case 'reference':
      return { ...condition, anyOf: removeDuplicates(condition.anyOf) };
    case 'string':
      return { ...condition, anyOf: keepShortest(condition.anyOf) };
    case 'at':
    case 'date':
      return { ...condition, anyOf: mergeDates(condition.anyOf) };
  }
};

/** The same condition with the fewest alternatives. */
const simplifyCondition = (condition: SearchCondition): SearchCondition =>
  condition.on === 'not'
    ? { on: 'not', condition: simplifyPositive(condition.condition) }
    : simplifyPositive(condition);

/**
 * A record has only one id and one patient, so several conditions on them are met by the values that all of them name.
 */
const intersectConditions = (
  conditions: readonly ConditionOf<'id' | 'patient'>[],
): readonly SearchCondition[] => {
  const [first, ...rest] = conditions;
  if (first === undefined) return [];
  const named = rest.reduce((some, { anyOf }) => some.intersection(new Set(anyOf)), new Set(first.anyOf));
  return [{ ...first, anyOf: [...named] }];
};

const isSameDate = (a: DateCriterion, b: DateCriterion | undefined): boolean =>
  a.prefix === b?.prefix && a.from === b.from && a.until === b.until;

/**
 * Up to this many alternatives, two conditions are compared to see whether one implies the other. Beyond that,
 * comparing costs more than it saves.
 */
const maxCompared = 24;

const isSameParameter = (a: PositiveCondition, b: PositiveCondition): boolean =>
  a.on === b.on && (!('parameter' in a) || !('parameter' in b) || a.parameter === b.parameter);

/** Whether a condition always holds if another one does: the other adds nothing to its alternatives. */
const isImplied = (condition: SearchCondition, premise: SearchCondition): boolean => {
  if (condition.on === 'not' || premise.on === 'not') {
    // If the conditions within are the other way round.
    return (
      condition.on === 'not' && premise.on === 'not' && isImplied(premise.condition, condition.condition)
    );
  }
  if (!isSameParameter(condition, premise)) return false;
  if (condition.on === 'entry' || premise.on === 'entry') {
    return condition.on === 'entry' && premise.on === 'entry' && condition.kind === premise.kind;
  }
  if (condition.anyOf.length + premise.anyOf.length > maxCompared) return false;
  if (condition.on === 'token' && premise.on === 'token') {
    return premise.anyOf.every((criterion) => condition.anyOf.some((broad) => covers(broad, criterion)));
  }
  if ((condition.on === 'date' && premise.on === 'date') || (condition.on === 'at' && premise.on === 'at')) {
    const joined = mergeDates([...condition.anyOf, ...premise.anyOf]);
    return (
      joined.length === condition.anyOf.length &&
      joined.every((date, index) => isSameDate(date, condition.anyOf[index]))
    );
  }
  const joined = simplifyPositive({
    ...condition,
    anyOf: [...condition.anyOf, ...premise.anyOf],
  } as PositiveCondition);
  return JSON.stringify(joined) === JSON.stringify(condition);
};

/**
 * Merges conditions into the fewest that hold for the same records, so that a store does not look at anything twice.
 * Merging conditions that were already merged does not change them.
 */
export const mergeConditions = (conditions: readonly SearchCondition[]): readonly SearchCondition[] => {
  if (conditions.length < 2) return conditions.map(simplifyCondition);
  const on = <On extends SearchCondition['on']>(kind: On) =>
    conditions.filter((condition): condition is ConditionOf<On> => condition.on === kind);
  const simplified = conditions
    .filter((condition) => condition.on !== 'id' && condition.on !== 'patient')
    .map(simplifyCondition);
  const needed = simplified.filter(
    (condition, index) =>
      !simplified.some(
        (premise, otherIndex) =>
          otherIndex !== index &&
          isImplied(condition, premise) &&
          (otherIndex < index || !isImplied(premise, condition)),
      ),
  );
  return [...intersectConditions(on('id')), ...intersectConditions(on('patient')), ...needed];
};
