/**
 * A patient's chart as FHIR resources: what a backend reads and writes, its errors, and the rules as pure functions.
 *
 * @module @clinical-records/core
 */

export type {
  AccessEvent,
  AccessInteraction,
  OnAccess,
  Returned,
  ReturnedResource,
} from './access/access-event.ts';
export type { AccessOptions } from './access/access-options.ts';
export type { Access, ReportAccess } from './access/access-reporter.ts';
export { returnedResourcesIn } from './access/returned-resources.ts';
export { type AuditLog, type AuditLogOptions, type AuditPage, createAuditLog } from './audit/audit-log.ts';
export type { AuditSearch } from './audit/audit-search.ts';
export type { AuditExpiry } from './audit/expire-audit.ts';
export type { AuditAgent, AuditCoding, AuditEntity, AuditEvent, AuditReference } from './audit/model.ts';
export type { AuditEntry, AuditHead, AuditQuery, AuditStore, StoredAuditEntry } from './audit/port.ts';
export type { AuditDiscrepancy, AuditVerification } from './audit/verify-audit.ts';
export type { CareTeamUpdateBody, CareTeamUpdateParticipant } from './care-team/bodies.ts';
export type { CareTeams, CareTeamWrites } from './care-team/care-teams.ts';
export type {
  CareTeam,
  CareTeamParticipant,
  CareTeamRole,
  CareTeamState,
  LeadExtension,
  MemberReference,
  NamedMember,
  Participant,
} from './care-team/model.ts';
export type { CareTeamSearch } from './care-team/record.ts';
export { deriveCareTeam } from './care-team/record.ts';
export type { RequestedParticipant } from './care-team/rules.ts';
export { upsert } from './care-team/rules.ts';
export type { CareTeamHostActions } from './care-team/writes.ts';
export type { ChangeFeed, ResourceChange } from './change-feed.ts';
export type { Author, Chart, CommandInput } from './chart/chart.ts';
export type {
  ChartRecord,
  ChartResourceType,
  CommandState,
  CommandStatus,
  CommittedStep,
  StepAuthor,
  StepAuthorship,
} from './chart/command.ts';
export { type CommandRecord, checkCommit } from './check-commit.ts';
export type {
  ChartCommand,
  ChartCommandInput,
  ChartCommandKind,
  ClinicalRecords,
  RecordsAccess,
  ServedResource,
} from './clinical-records.ts';
export { ClinicalRecordsError } from './clinical-records-error.ts';
export type { Copy, CopyOptions } from './copy/copy-to.ts';
export type { Corrections } from './corrections/corrections.ts';
export type { PatientMerge, RecordErasure, RecordMove } from './corrections/request-bodies.ts';
export { createClinicalRecords } from './create-clinical-records.ts';
export type { ParameterDescription } from './description/describe-parameters.ts';
export type {
  BodyDescriptions,
  InterfaceDescription,
  ResourceDescription,
} from './description/description.ts';
export type { JsonSchema } from './description/json-schema.ts';
export type { Directory } from './directory/directory.ts';
export type { Resolver } from './directory/host-lookup.ts';
export type {
  DirectoryEntry,
  DirectoryInput,
  DirectoryType,
  EncounterEntry,
  MemberType,
  NoteEntry,
  OrganizationEntry,
  PatientEntry,
  PractitionerEntry,
} from './directory/model.ts';
export {
  type DirectoryResource,
  type DirectoryResourceType,
  directoryResourceTypes,
  type EncounterResource,
  type HumanName,
  type OrganizationResource,
  type PatientLink,
  type PatientResource,
  type PractitionerResource,
  type UnknownElement,
} from './directory/resources.ts';
export { type ParticipantStatus, participantStatuses } from './directory/team-id.ts';
export {
  type ClinicalError,
  type ClinicalErrorOf,
  createIssueFactory,
  type Issue,
  notFound,
  otherChartError,
} from './errors.ts';
export type { ExportedResource, ExportedType } from './exporter/exported-resource.ts';
export type { Export, Exporter, ExportOptions, ExportProgress } from './exporter/exporter.ts';
export type { Annotation } from './fhir/annotation.ts';
export type { Bundle, BundleLink, SearchEntry } from './fhir/bundle.ts';
export type { CodedConcept, CommandConcept, FurtherCodingExtension } from './fhir/coded-concept.ts';
export type { CodeableConcept, Coding, PartialCodeableConcept, PartialCoding } from './fhir/coding.ts';
export { parseInterval } from './fhir/date-time.ts';
export { isDerivedId, isId } from './fhir/id.ts';
export { type Owners, readOwners } from './fhir/owners.ts';
export type { PreferredHandling } from './fhir/parse-body.ts';
export type { Period } from './fhir/period.ts';
export type { Quantity, Range, Ratio, SimpleQuantity } from './fhir/quantity.ts';
export { type JsonOptions, type JsonText, type NumberText, readJson } from './fhir/read-json.ts';
export {
  type AuthorReference,
  type ElementReference,
  type NamedReference,
  type PractitionerReference,
  parsePatientId,
  parseReference,
  type Reference,
  type ReferenceInput,
  type SignedReference,
} from './fhir/reference.ts';
export { type ResourceType, resourceTypes, type ServedType, servedTypes } from './fhir/resource-type.ts';
export { createTimeZone, type TimeZone } from './fhir/time-zone.ts';
export type { Timing, TimingRepeat } from './fhir/timing.ts';
export type { UsCoreOptions, UsCoreOrganization } from './fhir/us-core.ts';
export { deriveGoal } from './goal/derive.ts';
export type { Goals } from './goal/goal.ts';
export type { GoalWrites } from './goal/goal-writes.ts';
export type {
  BeginGoalCommand,
  CloseGoalCommand,
  Goal,
  GoalAchievementCoding,
  GoalAnnotation,
  GoalCommand,
  GoalCommandBody,
  GoalDescription,
  GoalFields,
  GoalNote,
  GoalPriorityCoding,
  GoalRecord,
  GoalTarget,
  StagedGoal,
  UpdateGoalCommand,
} from './goal/model.ts';
export type { GoalSearch } from './goal/search-parameters.ts';
export { deriveImmunization, formatComment } from './immunization/derive.ts';
export type {
  ImmunizationElements,
  ImmunizationPerformer,
  ImmunizationProtocol,
  ImmunizationReaction,
} from './immunization/elements.ts';
export type { Immunizations, ImmunizationWrites } from './immunization/immunizations.ts';
export type {
  Immunization,
  ImmunizationCommand,
  ImmunizationCommandBody,
  ImmunizationRecord,
  NoteIdExtension,
  ReasonCoding,
  StatusReasonCoding,
  VaccineCoding,
} from './immunization/model.ts';
export { placeInNote, type ReferencedEntries, type TargetNote } from './immunization/placement.ts';
export type { ImmunizationCreateBody, ImmunizationUpdateBody } from './immunization/request-bodies.ts';
export type { ImmunizationSearch } from './immunization/search-parameters.ts';
export type { ImportOptions } from './importer/import-callbacks.ts';
export type { ImportCounts, ImportIssue, ImportProgress, ImportReport } from './importer/import-report.ts';
export type { Importer } from './importer/importer.ts';
export { type LocatedItem, locateItem, type SourcePlace } from './importer/located-item.ts';
export { type NdjsonOptions, ndjson } from './importer/ndjson.ts';
export { type UnreadableText, unreadableText } from './importer/unreadable-text.ts';
export type { IssueRule } from './issue-rule.ts';
export type { ClinicalRecordsOptions } from './options.ts';
export type { VersionFacts } from './provenance/derive.ts';
export type {
  AbsentReasonExtension,
  Provenance,
  ProvenanceActivityCoding,
  ProvenanceAgent,
  ProvenanceAgentCoding,
  ProvenanceTarget,
  ProvenanceWho,
} from './provenance/model.ts';
export type { VersionName } from './provenance/provenance-id.ts';
export type { ProvenanceReads, Provenances } from './provenance/provenances.ts';
export type { ProvenanceSearch } from './provenance/search-parameters.ts';
export type {
  AuthorizeCharts,
  ChartLimit,
  ReachedCharts,
  ReadOptions,
  WriteOptions,
} from './records/chart-limit.ts';
export type { CorrectedRecord, Correction } from './records/correction.ts';
export type { ResourceHistoryEntry } from './records/history-entry.ts';
export type { IdempotencyOptions } from './records/idempotency.ts';
export { isWithinLimit } from './records/is-authorized.ts';
export type { JsonReads } from './records/json-reads.ts';
export type { Precondition } from './records/precondition.ts';
export type { ReadableResources } from './records/readable-resources.ts';
export type { Authorship } from './records/record-change.ts';
export type { ResourceReads } from './records/resource-reads.ts';
export type { ResourceVersion } from './records/resource-version.ts';
export type { Reindexed, ReindexOptions } from './reindex/reindex.ts';
export { deriveProvenance } from './resources.ts';
export { parseDateCriterion } from './search/date-criterion.ts';
export {
  type HostSearchPage,
  type HostSearchRequest,
  parseHostSearch,
  renderHostSearch,
} from './search/host-search.ts';
export type { SearchContent, SearchPaging, SearchPairs, SearchSort } from './search/search-input.ts';
export { deriveServiceRequest } from './service-request/derive.ts';
export type { OrderElements } from './service-request/elements.ts';
export type {
  LoincCoding,
  OrderCategoryCoding,
  OrderCommand,
  OrderCommandBody,
  OrderRecord,
  ServiceRequest,
} from './service-request/model.ts';
export type { ServiceRequestSearch } from './service-request/search-parameters.ts';
export type { FeedPosition } from './store/feed-position.ts';
export type { Interval } from './store/index-entry.ts';
export type { ClinicalStore, StoreError, Transaction } from './store/port.ts';
export type { Discrepancy } from './verify/discrepancy.ts';
export type { Verification, VerifyOptions } from './verify/verify.ts';
