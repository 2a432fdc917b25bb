import * as E from 'fp-ts/lib/Either.js';
import { loadHead, loadTeam, stateOf, type Team } from '../care-team/team-records.ts';
import { commandFacts } from '../chart/listed-command.ts';
import { type Outcome, ruleViolation, toClinicalError } from '../errors.ts';
import { recordExists } from '../records/transact.ts';
import {
  type CorrectionEnvironment,
  correctionIssue,
  type PatientMerge,
  type RecordMove,
} from './correction.ts';
import { requireReplaceable } from './merge-patients.ts';
import { type MoveView, readMove } from './move-to-patient.ts';

/** The versions of two patients, which a correction of their charts names. */
type SeenPatients = Pick<PatientMerge, 'patientId' | 'toPatientId'> & {
  readonly patientVersion: number;
  readonly toPatientVersion: number;
};

/** How many resources of each type there are. */
type Counts = Readonly<Record<string, number>>;

/** The content of a chart that a merge would move, and the versions that the merge names. */
export type MergePreview = SeenPatients & {
  /** How many resources of the chart of `patientId` get the other patient. */
  readonly counts: Counts;
  /** How many commands wait in that chart to be committed. */
  readonly staged: number;
  /** How many participants of its care team, in any status, join the other team. */
  readonly participants: number;
};

/** The elements that a move would leave out, and the versions that the move names. */
export type MovePreview = SeenPatients &
  Pick<RecordMove<string>, 'resourceType' | 'resourceId'> & {
    readonly version: number;
    /** The elements that the record loses, or of which it loses a part, because they refer to what stays in the old chart. */
    readonly leaves: readonly string[];
  };

/** The elements that say whose the resource is and which version, and an extension that names the note. */
const ofEachChart: readonly string[] = ['meta', 'subject', 'patient', 'extension'];

/** The names of the elements that a resource loses in another chart, or of which it loses a part. */
const findLost = (before: object, after: object): readonly string[] => {
  const left = after as Readonly<Record<string, unknown>>;
  return Object.entries(before).flatMap(([name, value]) =>
    ofEachChart.includes(name) || JSON.stringify(value) === JSON.stringify(left[name]) ? [] : [name],
  );
};

/** How many staged commands there are in the chart of a patient. */
const countStaged = async (
  { store }: Pick<CorrectionEnvironment, 'store'>,
  patientId: string,
): Outcome<number> => {
  const found = await store.search({
    type: commandFacts.type,
    conditions: [
      { on: 'patient', anyOf: [patientId] },
      { on: 'token', parameter: 'status', anyOf: [{ system: null, code: 'staged' }] },
    ],
    start: { offset: 0 },
    count: 0,
    withTotal: true,
  });
  return E.bimap(toClinicalError, ({ total }: { readonly total: number | null }) => total ?? 0)(found);
};

/** How many participants the team of a patient has, in any status. */
const countParticipants = async (
  { store }: Pick<CorrectionEnvironment, 'store'>,
  patientId: string,
): Outcome<number> => {
  const head = await loadHead(store, patientId);
  if (E.isLeft(head)) return head;
  if (!recordExists(head.right)) return E.right(0);
  return E.map((team: Team) => stateOf(team).participants.length)(await loadTeam(store, head.right));
};

/** Reads what a merge would move. */
export const createPreviewMerge =
  (environment: CorrectionEnvironment, types: readonly string[]) =>
  async ({
    patientId,
    toPatientId,
  }: Pick<PatientMerge, 'patientId' | 'toPatientId'>): Outcome<MergePreview> => {
    const { directory, countIn } = environment;
    if (patientId === toPatientId)
      return E.left(ruleViolation(correctionIssue('same-patient', 'Correction.toPatientId')));
    const from = await requireReplaceable(directory, { patientId, toPatientId });
    if (E.isLeft(from)) return from;
    const into = await directory.require('Patient', toPatientId, 'Correction.toPatientId');
    if (E.isLeft(into)) return into;
    const counts: Record<string, number> = {};
    for (const type of types) {
      const count = await countIn(type, patientId);
      if (E.isLeft(count)) return count;
      if (count.right > 0) counts[type] = count.right;
    }
    const staged = await countStaged(environment, patientId);
    if (E.isLeft(staged)) return staged;
    const participants = await countParticipants(environment, patientId);
    if (E.isLeft(participants)) return participants;
    return E.right({
      patientId,
      patientVersion: from.right.stored.version,
      toPatientId,
      toPatientVersion: into.right.stored.version,
      counts,
      staged: staged.right,
      participants: participants.right,
    });
  };

/** Reads what a move would leave out. */
export const createPreviewMove =
  (environment: CorrectionEnvironment) =>
  async (
    record: Pick<RecordMove<string>, 'resourceType' | 'resourceId' | 'toPatientId'>,
    view: MoveView,
  ): Outcome<MovePreview> => {
    const { directory, now } = environment;
    const { resourceType, resourceId, toPatientId } = record;
    const read = await readMove(environment, { ...record, at: now() }, view);
    if (E.isLeft(read)) return read;
    const { definition, loaded, patientId, moved } = read.right;
    const from = await directory.require('Patient', patientId, 'Correction.patientId');
    if (E.isLeft(from)) return from;
    const into = await directory.require('Patient', toPatientId, 'Correction.toPatientId');
    if (E.isLeft(into)) return into;
    const [before, after] = [loaded.state, moved.state].map(
      (state) => definition.derive(state)?.resource ?? {},
    );
    return E.right({
      resourceType,
      resourceId,
      version: loaded.stored.version,
      patientId,
      patientVersion: from.right.stored.version,
      toPatientId,
      toPatientVersion: into.right.stored.version,
      leaves: findLost(before ?? {}, after ?? {}),
    });
  };
