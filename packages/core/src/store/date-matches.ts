import type { Interval } from './index-entry.ts';
import type { DateCriterion, DatePrefix } from './query.ts';

/** A comparison of a bound of the time of a record with a bound of the time searched for. */
type DateComparison = readonly [
  bound: keyof Interval,
  operator: '<' | '<=' | '>' | '>=',
  than: keyof Interval,
];

/** The comparisons of a prefix, and whether one of them or all must hold. */
type DateComparisons = { readonly join: 'and' | 'or'; readonly comparisons: readonly DateComparison[] };

/**
 * The meaning of each prefix, for code and for SQL. `ne` means that `eq` does not hold. No interval ends before it begins.
 * So `ge` holds if it ends later, or begins within or later.
 *
 * Source: FHIR R4, Search, 3.1.1.4.7. Both times are intervals. `eq` means that the interval searched for contains the
 * other.
 */
export const dateComparisons: Readonly<Record<Exclude<DatePrefix, 'ne'>, DateComparisons>> = {
  eq: {
    join: 'and',
    comparisons: [
      ['from', '>=', 'from'],
      ['until', '<=', 'until'],
    ],
  },
  gt: { join: 'and', comparisons: [['until', '>', 'until']] },
  ge: {
    join: 'or',
    comparisons: [
      ['until', '>', 'until'],
      ['from', '>=', 'from'],
    ],
  },
  lt: { join: 'and', comparisons: [['from', '<', 'from']] },
  le: {
    join: 'or',
    comparisons: [
      ['from', '<', 'from'],
      ['until', '<=', 'until'],
    ],
  },
  sa: { join: 'and', comparisons: [['from', '>=', 'until']] },
  eb: { join: 'and', comparisons: [['until', '<=', 'from']] },
  ap: {
    join: 'and',
    comparisons: [
      ['from', '<', 'until'],
      ['until', '>', 'from'],
    ],
  },
};

const compare = (bound: number, operator: DateComparison[1], than: number): boolean => {
  switch (operator) {
    case '<':
      return bound < than;
    case '<=':
      return bound <= than;
    case '>':
      return bound > than;
    case '>=':
      return bound >= than;
  }
};

/** Whether the time of a record relates to the time searched for as the prefix says. */
export const dateMatches =
  (criterion: DateCriterion) =>
  (interval: Interval): boolean => {
    if (criterion.prefix === 'ne') return !dateMatches({ ...criterion, prefix: 'eq' })(interval);
    const { join, comparisons } = dateComparisons[criterion.prefix];
    const holds = ([bound, operator, than]: DateComparison) =>
      compare(interval[bound], operator, criterion[than]);
    return join === 'and' ? comparisons.every(holds) : comparisons.some(holds);
  };
