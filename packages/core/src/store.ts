/**
 * The names for authors of stores: the port, the meaning of a search, and functions that every store needs.
 *
 * @module @clinical-records/core/store
 */

export { chainAuditEntries, emptyAuditHead } from './audit/digest.ts';
export type { AuditEntry, AuditHead, AuditQuery, AuditStore, StoredAuditEntry } from './audit/port.ts';
export { orThrow } from './outcome.ts';
export { type DateGroup, groupDates, type MergedDate } from './search/merge-dates.ts';
export { createCallWatch } from './store/call-watch.ts';
export { countAt, countedPosition } from './store/counted-position.ts';
export { dateComparisons, dateMatches } from './store/date-matches.ts';
export { computeDigest, erasedState, hashContent } from './store/digest.ts';
export { entriesInRange, feedEndOf } from './store/entries-in-range.ts';
export {
  anyVersion,
  type ExpectedVersion,
  exactVersion,
  isExpectedVersion,
  noVersion,
} from './store/expected-version.ts';
export { findConflict } from './store/find-conflict.ts';
export { type IndexEntry, type Interval, serializeIndexEntry } from './store/index-entry.ts';
export { matches, type SearchableRecord } from './store/matches.ts';
export type {
  ClinicalStore,
  Commit,
  EntryRange,
  FeedEnd,
  FeedEntry,
  FeedRange,
  IndexedRecord,
  Position,
  RecordChange,
  RecordRef,
  ReindexedRecord,
  Reindexing,
  SearchMatch,
  SearchPage,
  StoredRecord,
  StoredResource,
  StoreError,
  StoreOutcome,
  Transaction,
  VersionCheck,
} from './store/port.ts';
export {
  type DateCriterion,
  type DatePrefix,
  datePrefixes,
  type PageStart,
  type ReferenceCriterion,
  type SearchCondition,
  type SearchQuery,
  type TokenCriterion,
} from './store/query.ts';
export { requireNode } from './store/require-node.ts';
export { toStoredResource } from './store/stored-resource.ts';
export { takeEntries } from './store/take-entries.ts';
export { takeMatches } from './store/take-matches.ts';
export { indexEntryOf, type Term, termOf } from './store/term.ts';
