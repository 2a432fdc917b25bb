import type { IndexEntry, Interval } from './index-entry.ts';
import type { IndexedRecord, SearchMatch, SearchPage } from './port.ts';

/** A token to search for. */
export type TokenCriterion = {
  /** The code system; '' for a token without one, and null for any. */
  readonly system: string | null;
  /** The code; null for any. */
  readonly code: string | null;
};

/** A reference to search for, by both its type and its id. */
export type ReferenceCriterion = {
  /** The type of the resource that the reference is to. */
  readonly type: string;
  /** Its id. */
  readonly id: string;
};

/** The prefixes of FHIR's date parameters. */
export const datePrefixes = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'sa', 'eb', 'ap'] as const;

/** How the time of a record must relate to the time searched for. */
export type DatePrefix = (typeof datePrefixes)[number];

/** A time to search for. `dateMatches` defines the meaning of each prefix. */
export type DateCriterion = {
  /** How the time of a record must relate to the interval. */
  readonly prefix: DatePrefix;
} & Interval;

/** A condition holds for a record if one of its criteria does. A condition without criteria holds for no record. */
export type SearchCondition =
  | {
      /** The id of the record. */
      readonly on: 'id';
      /** Ids. */
      readonly anyOf: readonly string[];
    }
  | {
      /** The patient of the record. */
      readonly on: 'patient';
      /** Ids of patients. */
      readonly anyOf: readonly string[];
    }
  | {
      /** A token among its index entries. */
      readonly on: 'token';
      /** The `parameter` of the index entry. */
      readonly parameter: string;
      /** Tokens. */
      readonly anyOf: readonly TokenCriterion[];
    }
  | {
      /** A reference among its index entries. */
      readonly on: 'reference';
      /** The `parameter` of the index entry. */
      readonly parameter: string;
      /** References. */
      readonly anyOf: readonly ReferenceCriterion[];
    }
  | {
      /** The time of its current version, as an interval of a millisecond. */
      readonly on: 'at';
      /** Times. */
      readonly anyOf: readonly DateCriterion[];
    }
  | {
      /** A time among its index entries. */
      readonly on: 'date';
      /** The `parameter` of the index entry. */
      readonly parameter: string;
      /** Times. */
      readonly anyOf: readonly DateCriterion[];
    };

/** Where a page begins among the matches, in the order in which their records were created. */
export type PageStart =
  | {
      /** The number of matches before the page. */
      readonly offset: number;
    }
  | {
      /** The id of the record after which the page begins, whether that record matches or not. */
      readonly after: string;
    };

/** A search for the records of one type for which all conditions hold, and the page to return. */
export type SearchQuery = {
  /** The type of the records. */
  readonly type: string;
  /** The conditions, all of which must hold. */
  readonly conditions: readonly SearchCondition[];
  /** Where the page begins. */
  readonly start: PageStart;
  /** The most matches of the page. */
  readonly count: number;
  /** Whether to count all matches, which can cost more than the page. */
  readonly withTotal: boolean;
  /**
   * The index version that the store must have at least; otherwise the result is `OutdatedIndex`. A store has version 1
   * until a commit sets another.
   */
  readonly indexVersion?: number | undefined;
  /** The most bytes of all resources of the page in UTF-8, unless its first resource has more; no limit if left out. */
  readonly maxBytes?: number;
  /**
   * The most steps that the search may take; no limit if left out. A step is a record that is looked at, or a condition
   * that is compared with one. A store in which searches block others refuses a search that needs more. Other stores
   * may ignore the limit.
   */
  readonly maxSteps?: number;
};

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

type Entry<K extends IndexEntry['kind']> = Extract<IndexEntry, { kind: K }>;

const tokenMatches =
  (criterion: TokenCriterion) =>
  (entry: Entry<'token'>): boolean =>
    (criterion.system === null || criterion.system === entry.system) &&
    (criterion.code === null || criterion.code === entry.code);

const entriesOf = <K extends IndexEntry['kind']>(record: SearchableRecord, kind: K, parameter: string) =>
  record.index.filter((entry): entry is Entry<K> => entry.kind === kind && entry.parameter === parameter);

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
      case 'date':
        return entriesOf(record, 'date', condition.parameter).some((entry) =>
          condition.anyOf.some((criterion) => dateMatches(criterion)(entry)),
        );
    }
  };

/** Whether a query finds a record. This function defines what a search means, in every store. */
export const matches =
  (query: Pick<SearchQuery, 'type' | 'conditions'>) =>
  (record: SearchableRecord): boolean =>
    record.type === query.type && query.conditions.every(meetsCondition(record));

const encoder = new TextEncoder();

const bytesOf = (text: string): number => encoder.encode(text).length;

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
