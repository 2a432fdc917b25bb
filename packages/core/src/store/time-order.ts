import type { SearchableRecord } from './matches.ts';
import type { OrderedQuery, TimeOrder } from './query.ts';

/**
 * The time by which a record is ordered; null if it has none. That of an interval is its start, and in descending order its end. Of
 * several, it is the first in the order.
 */
export const timeOf =
  (order: TimeOrder) =>
  ({ at, index }: Pick<SearchableRecord, 'at' | 'index'>): number | null => {
    if (order.on === 'at') return at;
    const times = index.flatMap((entry) =>
      entry.kind === 'date' && entry.parameter === order.parameter
        ? [order.isDescending ? entry.until : entry.from]
        : [],
    );
    if (times.length === 0) return null;
    return times.reduce((a, b) => (order.isDescending ? Math.max(a, b) : Math.min(a, b)));
  };

/** A match as it is ordered. `place` counts the records in the order of their creation. */
export type TimedMatch = { readonly time: number | null; readonly place: number };

/** Compares two matches. Those without a time come last in both directions, and ties are in the order of creation. */
const compareTimes =
  ({ isDescending }: Pick<TimeOrder, 'isDescending'>) =>
  (a: TimedMatch, b: TimedMatch): number => {
    if (a.time === b.time) return a.place - b.place;
    if (a.time === null) return 1;
    if (b.time === null) return -1;
    return isDescending ? b.time - a.time : a.time - b.time;
  };

/** The matches of a search from the start of its page on, in its order. `placeOf` returns null for an id that no record has. */
export const orderMatches = <Match extends TimedMatch>(
  matches: readonly Match[],
  { order, start }: Pick<OrderedQuery, 'order' | 'start'>,
  placeOf: (id: string) => number | null,
): readonly Match[] => {
  const compare = compareTimes(order);
  if ('offset' in start) return matches.toSorted(compare).slice(start.offset);
  const place = placeOf(start.after);
  if (place === null) return [];
  const { time } = start;
  return matches.filter((match) => compare(match, { time, place }) > 0).sort(compare);
};
