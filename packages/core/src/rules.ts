/**
 * The rules as pure functions, with time and ids as arguments, and the types that they need. They run in a browser, too, and need no
 * store and no services.
 * You need it to use a rule by itself, such as to check a form.
 *
 * @module @clinical-records/core/rules
 */

export type {
  CareTeam,
  CareTeamParticipant,
  CareTeamRole,
  CareTeamState,
  LeadExtension,
  NamedMember,
  Participant,
} from './care-team/model.ts';
export { deriveCareTeam } from './care-team/record.ts';
export type { RequestedParticipant, StatusChange } from './care-team/rules.ts';
export { setStatus, upsert } from './care-team/rules.ts';
export type {
  ChartRecord,
  CommandState,
  CommittedStep,
  StagingAuthor,
  StepAuthor,
  StepAuthorship,
} from './chart/command.ts';
export { type CommandRecord, checkCommit } from './clinical-records/check-commit.ts';
export type { Issue, IssueRule } from './clinical-records/public-errors.ts';
export type { EncounterEntry, MemberType, NoteEntry, ParticipantStatus } from './directory/model.ts';
export type { CommonElements } from './fhir/common-elements.ts';
export { createTimeZone, parseInterval, type TimeZone } from './fhir/date-time.ts';
export type { Identifier } from './fhir/identifier.ts';
export type { Agent } from './fhir/reference.ts';
export type { GoalElements, GoalMeasure } from './goal/elements.ts';
export type {
  Goal,
  GoalCommandBody,
  GoalFields,
  GoalNote,
  GoalRecord,
  GoalSourceStatus,
  GoalStatusFacts,
} from './goal/model.ts';
export { deriveGoal } from './goal/record.ts';
export type { Immunization, ImmunizationCommandBody, ImmunizationRecord } from './immunization/model.ts';
export { deriveImmunization, formatComment, formatSignedComment } from './immunization/record.ts';
export { placeInNote, type ReferencedEntries, type TargetNote } from './immunization/rules.ts';
export { parseDateCriterion } from './search/parameters.ts';
export type { OrderCommandBody, OrderRecord, ServiceRequest } from './service-request/model.ts';
export { deriveServiceRequest } from './service-request/record.ts';
export type { IndexEntry, Interval } from './store/index-entry.ts';
export { matches, type SearchableRecord } from './store/matches.ts';
export type {
  DateCriterion,
  DatePrefix,
  ReferenceCriterion,
  SearchCondition,
  SearchQuery,
  TokenCriterion,
} from './store/query.ts';
