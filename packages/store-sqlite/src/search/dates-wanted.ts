import type { DateCriterion, DatePrefix, Interval } from '@clinical-records/core';

/** The times that a condition asks for by one prefix, one at least. Those of `ap` are in order, and share no moment. */
export type DatesWanted = { readonly prefix: DatePrefix; readonly anyOf: readonly Interval[] };

const least = (times: readonly number[]): number => times.reduce((one, other) => Math.min(one, other));
const greatest = (times: readonly number[]): number => times.reduce((one, other) => Math.max(one, other));

/** What overlaps one of some times overlaps one of these. */
const apart = (times: readonly Interval[]): readonly Interval[] => {
  const merged: Interval[] = [];
  for (const { from, until } of times.toSorted((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last === undefined || last.until <= from) merged.push({ from, until });
    else merged.splice(-1, 1, { from: last.from, until: Math.max(last.until, until) });
  }
  return merged;
};

/** Times that together mean the same by a prefix. Where it looks at one side of a time alone, one does for all. */
const together = (prefix: DatePrefix, anyOf: readonly Interval[]): readonly Interval[] => {
  const from = anyOf.map((one) => one.from);
  const until = anyOf.map((one) => one.until);
  switch (prefix) {
    case 'eq':
      return [...new Map(anyOf.map((one) => [`${one.from} ${one.until}`, one])).values()];
    case 'ap':
      return apart(anyOf);
    case 'ne':
      return [{ from: greatest(from), until: least(until) }];
    case 'gt':
    case 'ge':
    case 'sa':
      return [{ from: least(from), until: least(until) }];
    case 'lt':
    case 'le':
    case 'eb':
      return [{ from: greatest(from), until: greatest(until) }];
  }
};

/** What a condition asks for, prefix by prefix, in an order that does not depend on its own. */
export const datesWanted = (criteria: readonly DateCriterion[]): readonly DatesWanted[] =>
  [...Map.groupBy(criteria, ({ prefix }) => prefix)]
    .map(([prefix, anyOf]) => ({ prefix, anyOf: together(prefix, anyOf) }))
    .toSorted((one, other) => (one.prefix < other.prefix ? -1 : 1));
