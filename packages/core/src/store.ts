/**
 * The names for authors of stores: the port, the meaning of a search, and functions that every store needs.
 *
 * @module @clinical-records/core/store
 */

export type { AuditEntry, AuditHead, AuditQuery, AuditStore, StoredAuditEntry } from './audit/port.ts';
export { chainAuditEntries, emptyAuditHead } from './audit/verify-audit.ts';
export { requireNode } from './create-clinical-records.ts';
export { orThrow } from './outcome.ts';
export { type DateGroup, groupDates, type MergedDate } from './search/merge-conditions.ts';
export { type ResolvedCondition, resolveCondition } from './search/resolve-condition.ts';
export { createCallWatch } from './store/call-watch.ts';
export {
  type IndexEntry,
  type Interval,
  indexEntryOf,
  serializeIndexEntry,
  type Term,
  termOf,
} from './store/index-entry.ts';
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
  dateComparisons,
  dateMatches,
  datePrefixes,
  matches,
  type PageStart,
  type ReferenceCriterion,
  type SearchableRecord,
  type SearchCondition,
  type SearchQuery,
  type TokenCriterion,
  takeMatches,
} from './store/query.ts';
export { createBroadSearchQueue, createSlots, maxBroadSearches } from './store/slots.ts';
export {
  anyVersion,
  computeDigest,
  countAt,
  countedPosition,
  type ExpectedVersion,
  entriesInRange,
  erasedState,
  exactVersion,
  feedEndOf,
  findConflict,
  hashContent,
  isExpectedVersion,
  noVersion,
  takeEntries,
  toStoredResource,
} from './store/versions.ts';
