/** A stretch of time, from its first millisecond to the first one after it, both counted from 1970 in UTC; it never ends before it begins. */
export type Interval = { readonly from: number; readonly until: number };

/** What a record can be found by, besides its id and its patient. */
export type IndexEntry =
  | { readonly kind: 'token'; readonly parameter: string; readonly system: string; readonly code: string }
  | { readonly kind: 'reference'; readonly parameter: string; readonly type: string; readonly id: string }
  | ({ readonly kind: 'date'; readonly parameter: string } & Interval);

/** A token as searched for: a `system` of '' means "without a system", one of null any; a `code` of null any. */
export type TokenCriterion = { readonly system: string | null; readonly code: string | null };

/** A reference as searched for: both its type and its id. */
export type ReferenceCriterion = { readonly type: string; readonly id: string };

/** The prefixes of FHIR's date parameters. */
export const datePrefixes = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'sa', 'eb', 'ap'] as const;

/** How the time of a record must lie to the time searched for. */
export type DatePrefix = (typeof datePrefixes)[number];

/** A time as searched for. What each prefix means is said by `dateMatches`. */
export type DateCriterion = { readonly prefix: DatePrefix } & Interval;

/** Holds of a record if one of its criteria does. A condition without criteria holds of none. */
export type SearchCondition =
  | { readonly on: 'id'; readonly anyOf: readonly string[] }
  | { readonly on: 'patient'; readonly anyOf: readonly string[] }
  | { readonly on: 'token'; readonly parameter: string; readonly anyOf: readonly TokenCriterion[] }
  | { readonly on: 'reference'; readonly parameter: string; readonly anyOf: readonly ReferenceCriterion[] }
  | { readonly on: 'date'; readonly parameter: string; readonly anyOf: readonly DateCriterion[] };

/**
 * Where a page begins among the matches, which stand in the order in which their records were created:
 * past a number of them, or past the record of an id, whether that is a match or not.
 */
export type PageStart = { readonly offset: number } | { readonly after: string };

/** The records of one type of which all conditions hold, and which page of them. */
export type SearchQuery = {
  readonly type: string;
  readonly conditions: readonly SearchCondition[];
  readonly start: PageStart;
  /** The most matches of the page. */
  readonly count: number;
  /** Whether the page says how many match in all: to find that out can cost more than the page. */
  readonly withTotal: boolean;
  /** The most bytes that the resources of the page have together, in UTF-8, unless its first has more; no limit if left out. */
  readonly maxBytes?: number;
  /**
   * The most steps that the search may take; no limit if left out. A step is a record that is looked at, or a condition that is
   * compared with one. A store in which searches keep others waiting refuses what takes more; another may ignore it.
   */
  readonly maxSteps?: number;
};
