import type { IndexEntry, Interval } from './index-entry.ts';

/** A code that a token parameter searches for, in one system or in any. */
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

/**
 * A condition on what a record has. A list of criteria holds for a record if one of them does. An empty list holds for no
 * record.
 */
export type PositiveCondition =
  | {
      /** The id of the record. */
      readonly on: 'id';
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
      readonly anyOf: readonly TokenCriterion[];
    }
  | {
      /** A reference among its index entries. */
      readonly on: 'reference';
      /** The `parameter` of the index entry. */
      readonly parameter: string;
      readonly anyOf: readonly ReferenceCriterion[];
    }
  | {
      /** A word among its index entries that begins with a text. */
      readonly on: 'string';
      /** The `parameter` of the index entry. */
      readonly parameter: string;
      /** Beginnings of words, compared character by character. None is empty. */
      readonly anyOf: readonly string[];
    }
  | {
      /** The time of its current version, as an interval of a millisecond. */
      readonly on: 'at';
      readonly anyOf: readonly DateCriterion[];
    }
  | {
      /** A time among its index entries. */
      readonly on: 'date';
      /** The `parameter` of the index entry. */
      readonly parameter: string;
      readonly anyOf: readonly DateCriterion[];
      /** No record of the type has several times under the parameter: so one time meets all conditions on it. `joinTimes` uses it. */
      readonly isSingle?: true;
    }
  | {
      /** An index entry, whatever its value. */
      readonly on: 'entry';
      /** The `kind` of the index entry. */
      readonly kind: IndexEntry['kind'];
      /** The `parameter` of the index entry. */
      readonly parameter: string;
    };

/** A condition that must hold for a record, or one that must not. */
export type SearchCondition =
  | PositiveCondition
  | {
      /** It holds for a record if the other condition does not. */
      readonly on: 'not';
      readonly condition: PositiveCondition;
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
  readonly type: string;
  /** The conditions, all of which must hold. */
  readonly conditions: readonly SearchCondition[];
  /** Where the page begins. */
  readonly start: PageStart;
  /** The most matches of the page. */
  readonly count: number;
  /** Whether to count all matches, which can cost more than the page. */
  readonly withTotal: boolean;
  /** The most bytes of all resources of the page in UTF-8, unless its first resource has more; no limit if left out. */
  readonly maxBytes?: number;
  /**
   * The most steps that the search may take; no limit if left out. A step is a record that is looked at, or a condition
   * that is compared with one. A store in which searches block others refuses a search that needs more. Other stores
   * may ignore the limit.
   */
  readonly maxSteps?: number;
};

/** The order of records by a time, the earliest first or the latest first. `timeOf` defines the time of a record. */
export type TimeOrder = (
  | {
      /** The time of its current version. */
      readonly on: 'at';
    }
  | {
      /** A time among its index entries. */
      readonly on: 'date';
      /** The `parameter` of the index entry. */
      readonly parameter: string;
    }
) & { readonly isDescending: boolean };

/** A search in the charts of patients, whose matches are ordered by a time. */
export type OrderedQuery = Omit<SearchQuery, 'start'> & {
  readonly order: TimeOrder;
  /** Where the page begins among the ordered matches. */
  readonly start:
    | {
        /** The number of matches before the page. */
        readonly offset: number;
      }
    | {
        /** The id of the record after whose place in the order of creation the page begins, if the times are equal. */
        readonly after: string;
        /** The time after which the page begins. */
        readonly time: number | null;
      };
};
