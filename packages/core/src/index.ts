/**
 * Resources, chart commands, rules, search and the store port.
 *
 * @module @clinical-records/core
 */

export type { CareTeams, CareTeamUpdates } from './care-team/care-teams.ts';
export {
  type CareTeam,
  type CareTeamRole,
  type MemberType,
  type Participant,
  type ParticipantStatus,
  participantStatuses,
  type Team,
} from './care-team/model.ts';
export type { Requested } from './care-team/rules.ts';
export type { CareTeamScreens } from './care-team/screens.ts';
export { upsert } from './care-team/upsert.ts';
export type { Changes, ResourceChange } from './changes.ts';
export type { By, Chart } from './chart/chart.ts';
export type { ChartCommand } from './chart/chart-section.ts';
export type { ChartRecord, ChartResourceType, Command, CommandStatus } from './chart/command.ts';
export type { Step } from './chart/steps.ts';
export {
  type ChartCommandInput,
  type ClinicalRecords,
  type ClinicalRecordsOptions,
  createClinicalRecords,
  type ReadableResources,
} from './clinical-records.ts';
export type { Description, ResourceDescription } from './description/description.ts';
export type { JsonSchema } from './description/json-schema.ts';
export type { ParameterDescription } from './description/parameters.ts';
export type { Directory } from './directory/directory.ts';
export type { DirectoryEntry, DirectoryInput, DirectoryType } from './directory/model.ts';
export type { Resolve } from './directory/resolve.ts';
export { type ClinicalError, type Fault, faultsOf, orThrow, type Result } from './errors.ts';
export type { Bundle } from './fhir/bundle.ts';
export type { CodeableConcept, Coding } from './fhir/coding.ts';
export { intervalOf } from './fhir/date-time.ts';
export type { Handling } from './fhir/handling.ts';
export type { Reference } from './fhir/reference.ts';
export { type ResourceType, resourceTypes } from './fhir/resource-type.ts';
export { type TimeZone, timeZoneNamed } from './fhir/time-zone.ts';
export { deriveGoal } from './goal/derive.ts';
export { goalObjections } from './goal/lifecycle.ts';
export type {
  Goal,
  GoalCommand,
  GoalCommandBody,
  GoalNote,
  GoalRecord,
  GoalStatement,
} from './goal/model.ts';
export { commentOf } from './immunization/derive.ts';
export type { Immunizations, ImmunizationWrites } from './immunization/immunizations.ts';
export type { Immunization, ImmunizationCommand } from './immunization/model.ts';
export type { Importer, ImportOptions, ImportProgress } from './importer/importer.ts';
export { ndjson } from './importer/ndjson.ts';
export type { ImportCounts, ImportProblem, ImportReport } from './importer/report.ts';
export { type UnreadableText, unreadableText } from './importer/unreadable-text.ts';
export type { Access, ReadOptions, WriteOptions } from './records/access.ts';
export type { Act } from './records/change.ts';
export type { ResourceHistoryEntry } from './records/history-entry.ts';
export type { Idempotency } from './records/idempotency.ts';
export type { JsonReads } from './records/json-reads.ts';
export type { Precondition } from './records/precondition.ts';
export type { ResourceReads } from './records/resource-reads.ts';
export type { ResourceVersion } from './records/resource-version.ts';
export { parseDate as parseDateCriterion } from './search/date.ts';
export { type MergedDate, mergeDates } from './search/merge-dates.ts';
export type { SearchParameters } from './search/search.ts';
export type { OrderCommand, ServiceRequest } from './service-request/model.ts';
export { conflictOf } from './store/conflict.ts';
export { digestOf } from './store/digest.ts';
export { endPage } from './store/end-page.ts';
export { entryText } from './store/entry-text.ts';
export { Absent, Any, type ExpectedVersion, isExpected, Version } from './store/expected-version.ts';
export { dateMatches, type Findable, matches } from './store/matches.ts';
export { pageOf } from './store/page-of.ts';
export type {
  Change,
  ClinicalStore,
  Commit,
  FeedEntry,
  IndexedRecord,
  Match,
  Page,
  Premise,
  RecordRef,
  StoredRecord,
  StoredResource,
  StoreError,
  Stretch,
  Transaction,
} from './store/port.ts';
export type {
  DateCriterion,
  DatePrefix,
  IndexEntry,
  Interval,
  PageStart,
  Query,
  ReferenceCriterion,
  SearchCondition,
  TokenCriterion,
} from './store/query.ts';
export { datePrefixes } from './store/query.ts';
export { storedResource } from './store/stored-resource.ts';
export type { Discrepancy } from './verify/discrepancy.ts';
export type { Verification, VerifyOptions } from './verify/verify.ts';
