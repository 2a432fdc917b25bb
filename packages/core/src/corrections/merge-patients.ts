import * as E from 'fp-ts/lib/Either.js';
import { isNearerToActive } from '../care-team/merge-imported.ts';
import { type CareTeamState, isSameMember, type Participant, toTeamPatient } from '../care-team/model.ts';
import { dateNextChange } from '../care-team/record.ts';
import { checkParticipant, countParticipants } from '../care-team/rules.ts';
import {
  loadHead,
  loadTeam,
  stateOf,
  type TeamChanges,
  type TeamRecords,
} from '../care-team/team-records.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { directoryIssue, type PatientEntry, unknownEntryIssue } from '../directory/model.ts';
import { type ClinicalError, type Outcome, ruleViolation } from '../errors.ts';
import { joinCommonElements } from '../fhir/common-elements.ts';
import type { CorrectedRecord, Correction } from '../records/correction.ts';
import type { RecordDefinition, RecordDefinitions } from '../records/definition.ts';
import {
  type Authorship,
  createChange,
  createVersionCheck,
  type Decision,
  type ExistingRecord,
  isErasedVersion,
  missingRecord,
  recordExists,
  toLoadedRecord,
} from '../records/transact.ts';
import type { IndexEntry } from '../store/index-entry.ts';
import type { IndexedRecord, RecordChange, StoredRecord } from '../store/port.ts';
import { correctCompletely, readRecords } from './complete.ts';
import {
  type CorrectionEnvironment,
  type CorrectionRequest,
  correctionIssue,
  createCorrection,
  type PatientMerge,
  requireSeen,
} from './correction.ts';
import type { MadeCorrection } from './decide-once.ts';

/** How a record is given to another patient; null for a record that stays. */
const moveOf = (definitions: RecordDefinitions, record: StoredRecord) => {
  const definition = definitions.get(record.type) as RecordDefinition<object> | undefined;
  return definition === undefined || isErasedVersion(record) ? null : definition.withPatient;
};

/** Refuses a chart with records that nothing here reads: their texts name the patient who is replaced. */
const requireDefinedTypes = (
  definitions: RecordDefinitions,
  chart: readonly StoredRecord[],
): E.Either<ClinicalError, void> => {
  const types = new Set(chart.filter((record) => !isErasedVersion(record)).map(({ type }) => type));
  const unknown = [...types].filter((type) => !definitions.has(type));
  return unknown.length === 0
    ? E.right(undefined)
    : E.left(ruleViolation(correctionIssue('undefined-type', unknown.join(', '))));
};

/** Index entries of a retired type, which nothing derives again, with another patient. */
const replacePatient = (index: readonly IndexEntry[], from: string, to: string): readonly IndexEntry[] =>
  index.map((entry) =>
    entry.kind === 'reference' && entry.type === 'Patient' && entry.id === from
      ? { ...entry, id: to }
      : entry,
  );

/** The changes that give the records of a chart to another patient. They keep their ids. */
const mergeChart = (
  definitions: RecordDefinitions,
  chart: readonly IndexedRecord[],
  {
    patientId,
    toPatientId,
    authorship,
  }: { readonly patientId: string; readonly toPatientId: string; readonly authorship: Authorship },
): readonly RecordChange[] =>
  chart.flatMap((record) => {
    const loaded = toLoadedRecord<object>(record.id, record);
    const move = moveOf(definitions, record);
    if (move === null || !recordExists(loaded)) return [];
    const definition = definitions.get(record.type) as RecordDefinition<object>;
    const change = createChange(definition, loaded, move(loaded.state, patientId, toPatientId), authorship);
    return [
      definition.isRetired
        ? { ...change, index: replacePatient(record.index, patientId, toPatientId) }
        : change,
    ];
  });

/** The participant as proposed if a rule excludes it from the active ones, such as a role that somebody else has. */
const proposeIfExcluded = (participant: Participant, rest: readonly Participant[]): Participant => {
  if (participant.status !== 'active') return participant;
  const active = rest.filter(({ status }) => status === 'active');
  const issues = checkParticipant(participant, countParticipants([...active, participant]), 'participant');
  return issues.length === 0 ? participant : { ...participant, status: 'proposed' };
};

/** The merge decides on the member, so an import does not change the participant any more. */
const join = (
  team: readonly Participant[],
  { isImported: _, ...joining }: Participant,
  at: number,
): readonly Participant[] => {
  const before = team.find(({ member }) => isSameMember(member, joining.member));
  if (before && !isNearerToActive(joining.status, before.status)) return team;
  const rest = team.filter((participant) => participant !== before);
  return [...rest, proposeIfExcluded({ ...joining, lead: false, changedAt: at }, rest)];
};

/**
 * The team of a patient after another patient was merged into this one, with the participants of both. A member of both
 * teams has the status that is nearest to active, and the common elements of both count. The lead of the other team leads
 * only if this team had nobody active.
 */
export const mergeTeams = (into: CareTeamState, from: CareTeamState, at: number): CareTeamState => {
  const participants = from.participants.reduce(
    (team, joining) => join(team, joining, at),
    into.participants,
  );
  const lead = from.participants.find((participant) => participant.lead);
  const common = joinCommonElements(into.common, from.common);
  if (lead === undefined || into.participants.some(({ status }) => status === 'active')) {
    return { ...into, common, participants };
  }
  const leads = ({ status, member }: Participant) => status === 'active' && isSameMember(member, lead.member);
  return {
    ...into,
    common,
    participants: participants.map((participant) =>
      leads(participant) ? { ...participant, lead: true } : participant,
    ),
  };
};

/** The changes by which the participants of a patient who is replaced join the team of the other one. */
const mergeTeamsOf = async (
  { directory, teams }: { readonly directory: DirectoryRecords; readonly teams: TeamRecords },
  {
    patient,
    toPatientId,
    authorship: { at, by },
  }: { readonly patient: PatientEntry; readonly toPatientId: string; readonly authorship: Authorship },
): Outcome<TeamChanges> => {
  const head = await loadHead(directory.store, patient.id);
  if (E.isLeft(head)) return head;
  const into = await teams.load(directory, toPatientId);
  if (E.isLeft(into)) return into;
  if (!recordExists(head.right)) return E.right({ changes: [], versionChecks: [] });
  const from = await loadTeam(directory.store, head.right);
  if (E.isLeft(from)) return from;
  const date = dateNextChange(into.right.head, at);
  const next = mergeTeams(stateOf(into.right), stateOf(from.right), date);
  const joined = teams.diff(into.right, next, { at: date, by });
  const { lastModified } = from.right.head.state.patient;
  const replaced = { patient: toTeamPatient({ ...patient, lastModified }), participants: [] };
  const left = teams.diff(from.right, replaced, { at: dateNextChange(from.right.head, at), by });
  return E.right({
    changes: [...joined.changes, ...left.changes],
    versionChecks: [...joined.versionChecks, ...left.versionChecks],
  });
};

/** The record that a change writes, with its new version. */
const toCorrectedRecord = ({ type, id, expects }: RecordChange): CorrectedRecord => ({
  type,
  id,
  version: expects._tag === 'Version' ? expects.version + 1 : 1,
});

/** Whether a patient is the other one, or was merged into that, directly or by way of others. */
const leadsTo = async (directory: DirectoryRecords, id: string, toPatientId: string): Outcome<boolean> => {
  if (id === toPatientId) return E.right(true);
  const patient = await directory.find('Patient', id);
  if (E.isLeft(patient)) return patient;
  const { replacedBy } = patient.right.state ?? {};
  return replacedBy === undefined ? E.right(false) : leadsTo(directory, replacedBy, toPatientId);
};

/** The patient who is replaced. A repeated merge is possible: it moves records that were written in the meantime. */
export const requireReplaceable = async (
  directory: DirectoryRecords,
  { patientId, toPatientId }: Pick<PatientMerge, 'patientId' | 'toPatientId'>,
): Outcome<ExistingRecord<PatientEntry>> => {
  const patient = await directory.find('Patient', patientId);
  if (E.isLeft(patient)) return patient;
  if (!recordExists(patient.right)) {
    return E.left(ruleViolation(unknownEntryIssue('Patient', 'Correction.patientId')));
  }
  const isReplaceable = await leadsTo(directory, patient.right.state.replacedBy ?? toPatientId, toPatientId);
  if (E.isLeft(isReplaceable)) return isReplaceable;
  return isReplaceable.right
    ? E.right(patient.right)
    : E.left(ruleViolation(directoryIssue('replaced-patient', 'Correction.patientId')));
};

/** Merges a patient into another one, who has both charts from then on. */
export const createMergePatients =
  ({ store, now, newId, directory, teams, definitions }: CorrectionEnvironment) =>
  (
    { patientId, toPatientId, by, reason }: PatientMerge,
    request?: CorrectionRequest,
  ): Outcome<MadeCorrection> => {
    const decide = async (first: ExistingRecord<Correction> | null): Outcome<Decision<Correction>> => {
      if (patientId === toPatientId) {
        return E.left(ruleViolation(correctionIssue('same-patient', 'Correction.toPatientId')));
      }
      const from = await requireReplaceable(directory, { patientId, toPatientId });
      if (E.isLeft(from)) return from;
      const into = await directory.require('Patient', toPatientId, 'Correction.toPatientId');
      if (E.isLeft(into)) return into;
      if (request !== undefined && first === null) {
        const { patientVersion, toPatientVersion } = request.seen;
        const seen = requireSeen({
          patientVersion: [patientVersion, from.right],
          toPatientVersion: [toPatientVersion, into.right],
        });
        if (E.isLeft(seen)) return seen;
      }
      const chart = await readRecords(store, (record) => record.patientId === patientId);
      if (E.isLeft(chart)) return chart;
      const defined = requireDefinedTypes(definitions, chart.right);
      if (E.isLeft(defined)) return defined;
      const authorship = { at: now(), by };
      const { replacedBy = toPatientId } = from.right.state;
      const patient = { ...from.right.state, replacedBy };
      const moved = mergeChart(definitions, chart.right, { patientId, toPatientId, authorship });
      const ofTeams = await mergeTeamsOf({ directory, teams }, { patient, toPatientId, authorship });
      if (E.isLeft(ofTeams)) return ofTeams;
      const { change, correction } = createCorrection(first ?? missingRecord(newId()), authorship, {
        kind: 'merge',
        reason,
        patientId,
        toPatientId,
        records: [...moved, ...ofTeams.right.changes].map(toCorrectedRecord),
      });
      return E.right({
        changes: [
          createChange(
            definitions.get('Patient') as RecordDefinition<PatientEntry>,
            from.right,
            patient,
            authorship,
          ),
          ...moved,
          ...ofTeams.right.changes,
          change,
        ],
        versionChecks: [createVersionCheck({ type: 'Patient' }, into.right), ...ofTeams.right.versionChecks],
        result: correction,
      });
    };

    return correctCompletely(store, {
      decide,
      isLeft: (record) => record.patientId === patientId && moveOf(definitions, record) !== null,
      cause: 'merge',
      key: request?.key ?? null,
    });
  };
