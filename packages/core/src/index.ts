export { Absent, Any, type ExpectedVersion, isExpected, Version } from './store/expected-version.ts';
export { dateMatches, type Findable, matches } from './store/matches.ts';
export type {
  Change,
  ClinicalStore,
  Commit,
  FeedEntry,
  Match,
  Page,
  Premise,
  RecordRef,
  StoredRecord,
  StoreError,
} from './store/port.ts';
export type {
  Condition,
  DateCriterion,
  DatePrefix,
  IndexEntry,
  Interval,
  PageStart,
  Query,
  ReferenceCriterion,
  TokenCriterion,
} from './store/query.ts';
