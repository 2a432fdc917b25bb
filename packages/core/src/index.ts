/**
 * A patient's chart as FHIR resources: what a backend reads and writes, and its errors.
 * Every backend needs it.
 *
 * @module @clinical-records/core
 */

export type { AccessEvent, OnAccess } from './access/access.ts';
export type { AuthorizeCharts, ChartLimit, ReadOptions, WriteOptions } from './access/chart-limit.ts';
export type { AuditEvent } from './audit/audit-event.ts';
export { type AuditLog, type AuditLogOptions, createAuditLog } from './audit/audit-log.ts';
export type { AuditStore } from './audit/port.ts';
export type { CareTeamUpdateBody, CareTeamUpdateParticipant } from './care-team/bodies.ts';
export type { CareTeam, CareTeamParticipant, CareTeamRole, MemberReference } from './care-team/model.ts';
export type { CareTeamSearch } from './care-team/record.ts';
export type { ResourceChange } from './changes/change-feed.ts';
export type {
  Author,
  CommandEntry,
  EndOptions,
  StageOptions,
  StepOptions,
} from './chart/chart.ts';
export type { CommandStatus, CommandStep } from './chart/command.ts';
export type { CommandSearch } from './chart/listed-command.ts';
export type { CommandPage } from './chart/search-commands.ts';
export type {
  AnyClinicalRecords,
  ChartCommand,
  ChartCommandInput,
  ChartCommandKind,
  ClinicalRecords,
  RecordsWith,
  TransactionRecords,
} from './clinical-records/clinical-records.ts';
export { createClinicalRecords } from './clinical-records/create-records.ts';
export {
  type ClinicalError,
  type ClinicalErrorOf,
  ClinicalRecordsError,
  type ImportIssue,
  type ImportOptions,
  type ImportReport,
  type Issue,
  type IssueRule,
} from './clinical-records/public-errors.ts';
export type { Copy, CopyOptions } from './copy/copy-to.ts';
export type { PatientMerge, RecordErasure, RecordMove } from './corrections/correction.ts';
export type { Resolver } from './directory/host-lookup.ts';
export type {
  DirectoryEntry,
  DirectoryInput,
  DirectoryType,
  EncounterEntry,
  NoteEntry,
  OrganizationEntry,
  PatientEntry,
  PractitionerEntry,
} from './directory/model.ts';
export { type ParticipantStatus, participantStatuses } from './directory/model.ts';
export type {
  EncounterResource,
  OrganizationResource,
  PatientResource,
  PractitionerResource,
} from './directory/resources.ts';
export type { OrganizationSearch, PatientSearch, PractitionerSearch } from './directory/search.ts';
export type { ClinicOrganization } from './environment.ts';
export { isFailure } from './errors.ts';
export type { ExportOptions, ExportProgress } from './exporter/export-options.ts';
export type { Bundle, SearchEntry } from './fhir/bundle.ts';
export type { CodeableConcept, Coding, PartialCodeableConcept } from './fhir/coding.ts';
export type { Identifier } from './fhir/identifier.ts';
export type { AuthorReference, PractitionerReference, Reference } from './fhir/reference.ts';
export type { ResourceType } from './fhir/resource-type.ts';
export type {
  BeginGoalCommand,
  CloseGoalCommand,
  Goal,
  GoalCommand,
  UpdateGoalCommand,
} from './goal/model.ts';
export type { GoalSearch } from './goal/record.ts';
export { defineExtension, extensionOf, withExtension } from './host-fields/extension-of.ts';
export type { HostExtension, HostExtensions } from './host-fields/host-extension.ts';
export type { HostIssue, HostRule, JudgedChange, RuleChart, RuleFailure } from './host-rules/host-rule.ts';
export type { ImmunizationCreateBody, ImmunizationUpdateBody } from './immunization/bodies.ts';
export type { Immunization, ImmunizationCommand } from './immunization/model.ts';
export type { ImmunizationSearch } from './immunization/record.ts';
export type { ImportProgress } from './importer/import-report.ts';
export { ndjson } from './importer/import-source.ts';
export type { UpdateMode } from './importer/repeated-load.ts';
export type { ClinicalRecordsOptions } from './options.ts';
export type { Provenance, ProvenanceSearch } from './provenance/model.ts';
export type { HistoryOptions, ResourceHistoryEntry } from './records/history.ts';
export type { ConditionalOptions, IdempotencyOptions } from './records/idempotency.ts';
export type { ResourceVersion } from './records/page.ts';
export type { ChangeCause, Precondition } from './records/transact.ts';
export type { OrderCommand, ServiceRequest } from './service-request/model.ts';
export type { ServiceRequestSearch } from './service-request/record.ts';
export type { ClinicalStore, HostWrite } from './store/port.ts';
export type { Transaction, TransactionConnection } from './store/transaction.ts';
export type { FeedPosition } from './store/versions.ts';
export type { Discrepancy } from './verify/page-reader.ts';
export type { Verification, VerifyOptions } from './verify/verify.ts';
