import type { IndexEntry, Interval } from './index-entry.ts';
import type { IndexedRecord, SearchMatch, SearchPage } from './port.ts';
import type { DateCriterion, DatePrefix, SearchCondition, SearchQuery, TokenCriterion } from './query.ts';
import { bytesOf } from './versions.ts';

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

/** The parts of a record that a query looks at. */
export type SearchableRecord = Pick<IndexedRecord, 'type' | 'id' | 'patientId' | 'at' | 'index'>;

type EntryOf<K extends IndexEntry['kind']> = Extract<IndexEntry, { kind: K }>;

/** Whether a token is one that a criterion searches for. */
export const tokenMatches =
  (criterion: TokenCriterion) =>
  (entry: Pick<EntryOf<'token'>, 'system' | 'code'>): boolean =>
    (criterion.system === null || criterion.system === entry.system) &&
    (criterion.code === null || criterion.code === entry.code);

const entriesOf = <K extends IndexEntry['kind']>(record: SearchableRecord, kind: K, parameter: string) =>
  record.index.filter((entry): entry is EntryOf<K> => entry.kind === kind && entry.parameter === parameter);

const meetsCondition =
  (record: SearchableRecord) =>
  (condition: SearchCondition): boolean => {
    switch (condition.on) {
      case 'id':
        return condition.anyOf.includes(record.id);
      case 'patient':
        return record.patientId !== null && condition.anyOf.includes(record.patientId);
      case 'at': {
        const { at } = record;
        return condition.anyOf.some((criterion) => dateMatches(criterion)({ from: at, until: at + 1 }));
      }
      case 'token':
        return entriesOf(record, 'token', condition.parameter).some((entry) =>
          condition.anyOf.some((criterion) => tokenMatches(criterion)(entry)),
        );
      case 'reference':
        return entriesOf(record, 'reference', condition.parameter).some((entry) =>
          condition.anyOf.some((criterion) => criterion.type === entry.type && criterion.id === entry.id),
        );
      case 'string':
        return entriesOf(record, 'string', condition.parameter).some(({ word }) =>
          condition.anyOf.some((beginning) => word.startsWith(beginning)),
        );
      case 'date':
        return entriesOf(record, 'date', condition.parameter).some((entry) =>
          condition.anyOf.some((criterion) => dateMatches(criterion)(entry)),
        );
      case 'entry':
        return entriesOf(record, condition.kind, condition.parameter).length > 0;
      case 'not':
        return !meetsCondition(record)(condition.condition);
    }
  };

/** Whether a query finds a record. This function defines what a search means, in every store. */
export const matches =
  (query: Pick<SearchQuery, 'type' | 'conditions'>) =>
  (record: SearchableRecord): boolean =>
    record.type === query.type && query.conditions.every(meetsCondition(record));

/** The most bytes that UTF-8 needs for one UTF-16 code unit. */
const maxBytesPerUnit = 3;

/**
 * The first page of some matches, in their order. It takes only as many matches as it needs to know whether more
 * follow.
 */
export const takeMatches = <Match extends Pick<SearchMatch, 'resource'>>(
  matches: Iterable<Match>,
  { count, maxBytes = Number.POSITIVE_INFINITY }: Pick<SearchQuery, 'count' | 'maxBytes'>,
): Pick<SearchPage, 'hasMore'> & {
  /** The matches of the page. */
  readonly matches: readonly Match[];
} => {
  const page: Match[] = [];
  let units = 0;
  let measured = 0;
  let bytes = 0;
  // Most pages are so small that nothing needs to be measured. In other pages each resource is measured once.
  const isFull = (): boolean => {
    if (units * maxBytesPerUnit <= maxBytes) return false;
    for (const { resource } of page.slice(measured)) bytes += bytesOf(resource);
    measured = page.length;
    return bytes > maxBytes;
  };
  for (const match of matches) {
    if (page.length === count) return { matches: page, hasMore: true };
    page.push(match);
    units += match.resource.length;
    if (page.length > 1 && isFull()) return { matches: page.slice(0, -1), hasMore: true };
  }
  return { matches: page, hasMore: false };
};
