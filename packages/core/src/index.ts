/**
 * A patient's chart as FHIR resources: what a backend reads and writes, and its errors.
 *
 * @module @clinical-records/core
 */

export type {
  Access,
  AccessEvent,
  AccessHooks,
  AccessInteraction,
  AccessOptions,
  OnAccess,
  ReportAccess,
  Returned,
  ReturnedResource,
} from './access/access.ts';
export { returnedResourcesIn } from './access/access.ts';
export type {
  AuthorizeCharts,
  ChartLimit,
  ReachedCharts,
  ReadOptions,
  WriteOptions,
} from './access/chart-limit.ts';
export type {
  AuditAgent,
  AuditCoding,
  AuditEntity,
  AuditEvent,
  AuditReference,
} from './audit/audit-event.ts';
export { type AuditLog, type AuditLogOptions, type AuditPage, createAuditLog } from './audit/audit-log.ts';
export type { AuditSearch } from './audit/audit-search.ts';
export type { AuditExpiry } from './audit/expire-audit.ts';
export type { AuditEntry, AuditHead, AuditQuery, AuditStore, StoredAuditEntry } from './audit/port.ts';
export type { AuditDiscrepancy, AuditVerification } from './audit/verify-audit.ts';
export type { CareTeamUpdateBody, CareTeamUpdateParticipant } from './care-team/bodies.ts';
export type { CareTeams, CareTeamWrites, ParticipantStatusWrites } from './care-team/care-teams.ts';
export type {
  CareTeam,
  CareTeamParticipant,
  CareTeamRole,
  LeadExtension,
  MemberReference,
} from './care-team/model.ts';
export type { CareTeamSearch } from './care-team/record.ts';
export type { CareTeamHostActions } from './care-team/writes.ts';
export type { ChangeFeed, ResourceChange } from './changes/change-feed.ts';
export type {
  Author,
  Chart,
  CommandEntry,
  CommandedResource,
  CommandInput,
  CommandPage,
  CommandStepEntry,
  EndOptions,
  StagedStepEntry,
  StageOptions,
  StepOptions,
} from './chart/chart.ts';
export type { ChartJson } from './chart/chart-json.ts';
export type {
  ChartResourceType,
  CommandStatus,
  CommandStep,
  StatusExtensions,
  StatusReasonExtension,
} from './chart/command.ts';
export type { CommandSearch } from './chart/listed-command.ts';
export type {
  AnyClinicalRecords,
  ChartCommand,
  ChartCommandInput,
  ChartCommandKind,
  ClinicalRecords,
  RecordsAccess,
  RecordsWith,
  ServedResource,
  TransactionRecords,
} from './clinical-records/clinical-records.ts';
export { createClinicalRecords } from './clinical-records/create-records.ts';
export type { Copy, CopyOptions } from './copy/copy-to.ts';
export type { PatientMerge, RecordErasure, RecordMove } from './corrections/correction.ts';
export type { Corrections } from './corrections/corrections.ts';
export type { BodySchemas, StandardResult, StandardSchema } from './description/body-schemas.ts';
export type { CommandDescription } from './description/describe-commands.ts';
export type { ParameterDescription } from './description/describe-parameters.ts';
export type {
  BodyDescriptions,
  DirectoryDescription,
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
  Gender,
  MemberType,
  NoteEntry,
  OrganizationEntry,
  PatientEntry,
  PractitionerEntry,
} from './directory/model.ts';
export { type ParticipantStatus, participantStatuses } from './directory/model.ts';
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
  type ProfileMeta,
  type UnknownElement,
} from './directory/resources.ts';
export {
  type DirectoryJsonSearch,
  type DirectorySearch,
  type DirectorySearchType,
  directorySearchTypes,
  type OrganizationSearch,
  type PatientSearch,
  type PractitionerSearch,
} from './directory/search.ts';
export type { ClinicOrganization } from './environment.ts';
export { createIssueFactory, isFailure, notFound, otherChartError } from './errors.ts';
export type { EverythingOptions } from './exporter/everything.ts';
export type { ExportOptions, ExportProgress } from './exporter/export-options.ts';
export type { Export, Exporter } from './exporter/exporter.ts';
export type { ExportedResource, ExportedType, HostChartResource } from './exporter/render-records.ts';
export type { ChartPart, ChartReader, ChartReads } from './exporter/walk-chart.ts';
export {
  type Bundle,
  type BundleLink,
  type BundleUrls,
  issueRuleSystem,
  type SearchEntry,
} from './fhir/bundle.ts';
export type {
  CodeableConcept,
  CodedConcept,
  CodedOrTextConcept,
  Coding,
  CommandConcept,
  CommandConceptOrText,
  FurtherCodingExtension,
  PartialCodeableConcept,
  PartialCoding,
} from './fhir/coding.ts';
export type { ResourceLabels, ResourceMeta } from './fhir/common-elements.ts';
export type { Period } from './fhir/date-time.ts';
export type { Identifier } from './fhir/identifier.ts';
export type { PreferredHandling } from './fhir/parse-body.ts';
export type { Quantity, Range, Ratio, SimpleQuantity, Timing, TimingRepeat } from './fhir/quantity.ts';
export { type JsonOptions, type JsonText, readJson } from './fhir/read-json.ts';
export type { Annotation } from './fhir/reference.ts';
export {
  type Agent,
  type AuthorReference,
  type ElementReference,
  isDerivedId,
  isId,
  type NamedReference,
  type Owners,
  type PractitionerReference,
  parsePatientId,
  parseReference,
  type Reference,
  type ReferenceInput,
  readOwners,
  type SignedReference,
} from './fhir/reference.ts';
export { type ResourceType, resourceTypes, type ServedType, servedTypes } from './fhir/resource-type.ts';
export type { Decimal } from './fhir/schema.ts';
export type { GoalElements, GoalMeasure, GoalTarget } from './goal/elements.ts';
export type { FurtherTargetExtension, TargetPartExtension } from './goal/further-targets.ts';
export type {
  BeginGoalCommand,
  CloseGoalCommand,
  Goal,
  GoalAchievementCoding,
  GoalAnnotation,
  GoalCommand,
  GoalDescription,
  GoalPriorityCoding,
  SourceStatusExtension,
  UpdateGoalCommand,
} from './goal/model.ts';
export type { GoalSearch } from './goal/record.ts';
export { defineExtension, extensionOf, withExtension } from './host-fields/extension-of.ts';
export type {
  ExtensionValue,
  ExtensionValueType,
  HostExtension,
  HostExtensions,
} from './host-fields/host-extension.ts';
export type {
  HostIssue,
  HostRule,
  JudgedChange,
  RuleChart,
  RuleCheck,
  RuleFailure,
} from './host-rules/host-rule.ts';
export type { ImmunizationCreateBody, ImmunizationUpdateBody } from './immunization/bodies.ts';
export type { Immunizations, ImmunizationWrites } from './immunization/immunization.ts';
export type {
  Immunization,
  ImmunizationCommand,
  ImmunizationEducation,
  ImmunizationElements,
  ImmunizationPerformer,
  ImmunizationProtocol,
  ImmunizationReaction,
  NoteIdExtension,
  ReasonCoding,
  StatusReasonCoding,
  VaccineCoding,
} from './immunization/model.ts';
export type { ImmunizationSearch } from './immunization/record.ts';
export type { ImportCounts, ImportProgress } from './importer/import-report.ts';
export { type NdjsonOptions, ndjson } from './importer/import-source.ts';
export { adviceOnFormat } from './importer/other-formats.ts';
export type { UpdateMode } from './importer/repeated-load.ts';
export {
  type LocatedItem,
  locateItem,
  type SourcePlace,
  type UnreadableText,
  unreadableText,
} from './importer/unpacker.ts';
export type { ClinicalRecordsOptions, TypedRules } from './options.ts';
export type {
  AbsentReasonExtension,
  Provenance,
  ProvenanceActivityCoding,
  ProvenanceAgent,
  ProvenanceAgentCoding,
  ProvenanceSearch,
  ProvenanceTarget,
  ProvenanceWho,
  VersionFacts,
  VersionName,
} from './provenance/model.ts';
export type { ProvenanceReads, Provenances } from './provenance/provenances.ts';
export {
  type ClinicalError,
  type ClinicalErrorOf,
  ClinicalRecordsError,
  type Importer,
  type ImportIssue,
  type ImportOptions,
  type ImportReport,
  type Issue,
  type IssueRule,
} from './public-errors.ts';
export type { CorrectedRecord, Correction } from './records/correction.ts';
export type { HistoryOptions, ResourceHistoryEntry } from './records/history.ts';
export type { ConditionalOptions, IdempotencyOptions } from './records/idempotency.ts';
export type { JsonReads } from './records/json-reads.ts';
export type { ResourceVersion } from './records/page.ts';
export { isWithinLimit } from './records/reach.ts';
export type { ReadableResources, ResourceReads } from './records/resource-reads.ts';
export type { Authorship, ChangeCause, Precondition } from './records/transact.ts';
export type { Reindexed, ReindexOptions } from './reindex/reindex.ts';
export { deriveProvenance, matchingIssues } from './resources.ts';
export {
  type HostSearchPage,
  type HostSearchRequest,
  parseHostSearch,
  renderHostSearch,
} from './search/host-search.ts';
export { isSearchRule } from './search/issues.ts';
export type { SearchContent, SearchPaging, SearchPairs, SearchSort } from './search/search-input.ts';
export type {
  LoincCoding,
  OrderCategoryCoding,
  OrderCommand,
  OrderElements,
  ServiceRequest,
} from './service-request/model.ts';
export type { ServiceRequestSearch } from './service-request/record.ts';
export type { ClinicalStore, HostWrite } from './store/port.ts';
export type { StoreError } from './store/store-error.ts';
export type { Transaction } from './store/transaction.ts';
export type { FeedPosition } from './store/versions.ts';
export type { Discrepancy } from './verify/page-reader.ts';
export type { Verification, VerifyOptions } from './verify/verify.ts';
