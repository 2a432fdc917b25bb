/**
 * The names for authors of stores: the port, the meaning of a search, and functions that every store needs.
 * You need it if you write a store.
 *
 * @module @clinical-records/core/store
 */

export { mayBeWritten } from './access/access.ts';
export type { AuditEntry, AuditHead, AuditQuery, AuditStore, StoredAuditEntry } from './audit/port.ts';
export { chainAuditEntries, emptyAuditHead } from './audit/verify-audit.ts';
export { parseTeamId } from './directory/model.ts';
export {
  checkOptionNames,
  longestTimer,
  type OptionNames,
  requireFunction,
  requireNode,
  requireNumbers,
} from './options.ts';
export { orThrow } from './outcome.ts';
export { askAuthorize } from './records/reach.ts';
export { type DateGroup, groupDates, type MergedDate } from './search/merge-conditions.ts';
export { joinTimes, type ResolvedCondition, resolveCondition } from './search/resolve-condition.ts';
export type { CallContext } from './store/call-context.ts';
export {
  endsWithTransactionError,
  HostStatementError,
  misuseError,
  nestedTransactionError,
  RefusedCommitError,
  repeatedRecordError,
  storeClosedError,
  transactionOverError,
  unavailableError,
  unknownPositionError,
} from './store/errors.ts';
export {
  type IndexEntry,
  type IndexedParameters,
  type Interval,
  serializeIndexEntry,
} from './store/index-entry.ts';
export {
  dateComparisons,
  dateMatches,
  matches,
  type SearchableRecord,
  takeMatches,
} from './store/matches.ts';
export type {
  ClinicalStore,
  Commit,
  EntryRange,
  FeedEnd,
  FeedEntry,
  FeedRange,
  HistoryRange,
  HostWrite,
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
  StoredVersion,
  StoreOutcome,
  VersionCheck,
  VersionRef,
} from './store/port.ts';
export {
  type DateCriterion,
  type DatePrefix,
  datePrefixes,
  type OrderedQuery,
  type PageStart,
  type PositiveCondition,
  type ReferenceCriterion,
  type SearchCondition,
  type SearchQuery,
  type TimeOrder,
  type TokenCriterion,
} from './store/query.ts';
export { recordKey } from './store/record-key.ts';
export { createBroadSearchQueue, createSlots, maxBroadSearches } from './store/slots.ts';
export type { StoreError } from './store/store-error.ts';
export { endOfWords, indexEntryOf, type Term, termOf } from './store/term.ts';
export { orderMatches, type TimedMatch, timeOf } from './store/time-order.ts';
export type { Transaction, TransactionConnection } from './store/transaction.ts';
export { createCallWatch } from './store/transaction.ts';
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
  versionsInRange,
} from './store/versions.ts';
export { waitAtMost } from './store/wait-at-most.ts';
