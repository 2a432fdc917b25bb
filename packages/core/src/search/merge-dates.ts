import type { DateCriterion, DatePrefix, Interval } from '../store/query.ts';

/** A date criterion as `mergeDates` makes them: `ne` is said by `lt` and `gt`. */
export type MergedDate = { readonly prefix: Exclude<DatePrefix, 'ne'> } & Interval;

/**
 * What date criteria ask for together: to begin before `beginsBefore`, or from `beginsFrom` on, or to end by `endsBy`, or
 * after `endsAfter`, or to lie within one of some stretches, or to overlap one of others.
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

/** Holds of every date. */
const anyDate: MergedDate = { prefix: 'gt', from: earliest, until: earliest };

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
  // As no interval ends before it begins, what `ge` holds of ends later, or begins within or later; `le` is its mirror.
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

/** Those that lie within none of the others. */
const keepOutermost = (intervals: readonly Interval[]): readonly Interval[] => {
  const outer: Interval[] = [];
  for (const one of intervals.toSorted((a, b) => a.from - b.from || b.until - a.until)) {
    const last = outer.at(-1);
    if (last === undefined || last.until < one.until) outer.push(one);
  }
  return outer;
};

/** What overlaps one of some stretches overlaps one of these, which share no moment. */
const mergeOverlapping = (intervals: readonly Interval[]): readonly Interval[] => {
  const merged: Interval[] = [];
  for (const { from, until } of intervals.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last === undefined || last.until <= from) merged.push({ from, until });
    else merged.splice(-1, 1, { from: last.from, until: Math.max(last.until, until) });
  }
  return merged;
};

/** What one side of time asks for: by one column, by the other, or by both. */
const createSideCriteria = <Prefix extends MergedDate['prefix']>(
  { from, until }: Interval,
  [byFrom, byUntil, byBoth]: readonly [Prefix, Prefix, Prefix],
): readonly { readonly prefix: Prefix; readonly from: number; readonly until: number }[] => {
  if (Number.isFinite(from) && Number.isFinite(until)) return [{ prefix: byBoth, from, until }];
  if (Number.isFinite(from)) return [{ prefix: byFrom, from, until: from }];
  return Number.isFinite(until) ? [{ prefix: byUntil, from: until, until }] : [];
};

/**
 * The same condition in the fewest criteria: at most one for the time before, one for the time after, and those `eq` and `ap`
 * that neither of them covers. Criteria that ask for the same come to the same list.
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
    overlaps.some((one) => one.from < from && until < one.until);
  const exact = keepOutermost(within).filter(
    (one) =>
      one.from < beginsFrom &&
      one.until > endsBy &&
      Math.max(one.from, beginsBefore) <= Math.min(one.until, endsAfter) &&
      !isCovered(one),
  );
  return [
    ...createSideCriteria(before, ['lt', 'eb', 'le']),
    ...createSideCriteria(after, ['sa', 'gt', 'ge']),
    ...exact.map((one) => ({ prefix: 'eq', ...one }) as const),
    ...overlaps.map((one) => ({ prefix: 'ap', ...one }) as const),
  ];
};
