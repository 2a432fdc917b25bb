import type { Interval } from './index-entry.ts';

/**
 * A token to search for: a `system` of '' means "without a system", a `system` of null any system, a `code` of null any
 * code.
 */
export type TokenCriterion = { readonly system: string | null; readonly code: string | null };

/** A reference to search for, by both its type and its id. */
export type ReferenceCriterion = { readonly type: string; readonly id: string };

/** The prefixes of FHIR's date parameters. */
export const datePrefixes = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'sa', 'eb', 'ap'] as const;

/** How the time of a record must relate to the time searched for. */
export type DatePrefix = (typeof datePrefixes)[number];

/** A time to search for. `dateMatches` defines the meaning of each prefix. */
export type DateCriterion = { readonly prefix: DatePrefix } & Interval;

/** A condition holds for a record if one of its criteria does. A condition without criteria holds for no record. */
export type SearchCondition =
  | { readonly on: 'id'; readonly anyOf: readonly string[] }
  | { readonly on: 'patient'; readonly anyOf: readonly string[] }
  | { readonly on: 'token'; readonly parameter: string; readonly anyOf: readonly TokenCriterion[] }
  | { readonly on: 'reference'; readonly parameter: string; readonly anyOf: readonly ReferenceCriterion[] }
  | { readonly on: 'date'; readonly parameter: string; readonly anyOf: readonly DateCriterion[] };

/**
 * Where a page begins among the matches, in the order in which their records were created. It skips a number of
 * matches, or all up to the record with an id, whether that record matches or not.
 */
export type PageStart = { readonly offset: number } | { readonly after: string };

/** A search for the records of one type for which all conditions hold, and the page to return. */
export type SearchQuery = {
  readonly type: string;
  readonly conditions: readonly SearchCondition[];
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
