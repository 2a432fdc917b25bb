/**
 * For an adapter of a protocol, beside the records: identifiers, searches of a host, descriptions of what is served, and the types
 * of the parts of resources, options and results.
 * You need it if you serve the records by another protocol than HTTP.
 *
 * @module @clinical-records/core/adapter
 */

export type {
  Access,
  AccessHooks,
  AccessInteraction,
  AccessOptions,
  AnswerContent,
  ReportAccess,
  ReturnedResource,
} from './access/access.ts';
export { returnedResourcesIn } from './access/access.ts';
export type { ReachedCharts } from './access/chart-limit.ts';
export type { AuditAgent, AuditCoding, AuditEntity, AuditReference } from './audit/audit-event.ts';
export type { AuditPage } from './audit/audit-log.ts';
export type { AuditSearch } from './audit/audit-search.ts';
export type { AuditExpiry } from './audit/expire-audit.ts';
export type { AuditEntry, AuditHead, AuditQuery, StoredAuditEntry } from './audit/port.ts';
export type { AuditDiscrepancy, AuditVerification } from './audit/verify-audit.ts';
export type { CareTeams, CareTeamWrites, ParticipantStatusWrites } from './care-team/care-teams.ts';
export type { LeadExtension } from './care-team/model.ts';
export type { CareTeamHostActions } from './care-team/writes.ts';
export type { ChangeFeed } from './changes/change-feed.ts';
export type {
  Chart,
  CommandedResource,
  CommandInput,
  CommandStepEntry,
  StagedStepEntry,
} from './chart/chart.ts';
export type { ChartJson } from './chart/chart-json.ts';
export type { ChartResourceType, StatusExtensions, StatusReasonExtension } from './chart/command.ts';
export type { RecordsAccess, ServedResource } from './clinical-records/clinical-records.ts';
export type { Importer } from './clinical-records/public-errors.ts';
export type { Corrections } from './corrections/corrections.ts';
export type { CorrectionsJson } from './corrections/corrections-json.ts';
export type { BodySchemas, StandardResult, StandardSchema } from './description/body-schemas.ts';
export type { CommandDescription } from './description/describe-commands.ts';
export type { CorrectionDescription } from './description/describe-corrections.ts';
export type { ParameterDescription } from './description/describe-parameters.ts';
export type {
  BodyDescriptions,
  DirectoryDescription,
  InterfaceDescription,
  ResourceDescription,
} from './description/description.ts';
export type { JsonSchema } from './description/json-schema.ts';
export type { Directory } from './directory/directory.ts';
export type { Gender, MemberType } from './directory/model.ts';
export {
  type DirectoryResource,
  type DirectoryResourceType,
  directoryResourceTypes,
  type HumanName,
  type PatientLink,
  type ProfileMeta,
  type UnknownElement,
} from './directory/resources.ts';
export {
  type DirectoryJsonSearch,
  type DirectorySearch,
  type DirectorySearchType,
  directorySearchTypes,
} from './directory/search.ts';
export { createIssueFactory, notFound, otherChartError } from './errors.ts';
export type { EverythingOptions } from './exporter/everything.ts';
export type { Export, Exporter } from './exporter/exporter.ts';
export type { ExportedResource, ExportedType, HostChartResource } from './exporter/render-records.ts';
export type { ChartPart, ChartReader, ChartReads } from './exporter/walk-chart.ts';
export { type BundleLink, type BundleUrls, issueRuleSystem } from './fhir/bundle.ts';
export type {
  CodedConcept,
  CodedOrTextConcept,
  CommandConcept,
  CommandConceptOrText,
  FurtherCodingExtension,
  PartialCoding,
} from './fhir/coding.ts';
export type { ResourceLabels, ResourceMeta } from './fhir/common-elements.ts';
export type { Period } from './fhir/date-time.ts';
export type { PreferredHandling } from './fhir/parse-body.ts';
export type { Quantity, Range, Ratio, SimpleQuantity, Timing, TimingRepeat } from './fhir/quantity.ts';
export { type JsonOptions, type JsonText, readJson } from './fhir/read-json.ts';
export type { Annotation } from './fhir/reference.ts';
export {
  type Agent,
  type ElementReference,
  isDerivedId,
  isId,
  type NamedReference,
  type Owners,
  parsePatientId,
  parseReference,
  type ReferenceInput,
  readOwners,
  type SignedReference,
} from './fhir/reference.ts';
export { resourceTypes, type ServedType, servedTypes } from './fhir/resource-type.ts';
export type { Decimal } from './fhir/schema.ts';
export type { GoalElements, GoalMeasure, GoalTarget } from './goal/elements.ts';
export type { FurtherTargetExtension, TargetPartExtension } from './goal/further-targets.ts';
export type {
  GoalAchievementCoding,
  GoalAnnotation,
  GoalDescription,
  GoalPriorityCoding,
  SourceStatusExtension,
} from './goal/model.ts';
export type { ExtensionValue, ExtensionValueType } from './host-fields/host-extension.ts';
export type { RuleCheck } from './host-rules/host-rule.ts';
export type { Immunizations, ImmunizationWrites } from './immunization/immunization.ts';
export type {
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
export type { ImportCounts } from './importer/import-report.ts';
export type { NdjsonOptions } from './importer/import-source.ts';
export { adviceOnFormat } from './importer/other-formats.ts';
export {
  type LocatedItem,
  locateItem,
  type SourcePlace,
  type UnreadableText,
  unreadableText,
} from './importer/unpacker.ts';
export type { TypedRules } from './options.ts';
export type {
  AbsentReasonExtension,
  ProvenanceActivityCoding,
  ProvenanceAgent,
  ProvenanceAgentCoding,
  ProvenanceTarget,
  ProvenanceWho,
  VersionFacts,
  VersionName,
} from './provenance/model.ts';
export type { ProvenanceReads, Provenances } from './provenance/provenances.ts';
export type { CorrectedRecord, Correction } from './records/correction.ts';
export type { JsonReads } from './records/json-reads.ts';
export { isWithinLimit } from './records/reach.ts';
export type { ReadableResources, ResourceReads } from './records/resource-reads.ts';
export type { Authorship } from './records/transact.ts';
export type { ReindexOptions, ReindexResult } from './reindex/reindex.ts';
export { deriveProvenance, matchingIssues } from './resources.ts';
export {
  type HostSearchPage,
  type HostSearchRequest,
  parseHostSearch,
  renderHostSearch,
} from './search/host-search.ts';
export { isSearchRule } from './search/issues.ts';
export type { SearchContent, SearchPaging, SearchPairs, SearchSort } from './search/search-input.ts';
export type { LoincCoding, OrderCategoryCoding, OrderElements } from './service-request/model.ts';
export type { StoreError } from './store/store-error.ts';
