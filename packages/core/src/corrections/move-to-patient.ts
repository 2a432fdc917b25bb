import * as E from 'fp-ts/lib/Either.js';
import type { ChartRecord } from '../chart/command.ts';
import { moveListedCommands } from '../chart/listed-command.ts';
import { notFound, type Outcome, ruleViolation } from '../errors.ts';
import type { RecordDefinition } from '../records/definition.ts';
import {
  createChange,
  createVersionCheck,
  ensureNotBackdated,
  load,
  missingRecord,
  recordExists,
  transact,
} from '../records/transact.ts';
import type { MovedRecord, MoveTarget } from '../resource-definition.ts';
import {
  type CorrectionEnvironment,
  type CorrectionRequest,
  correctionIssue,
  createCorrection,
  type RecordMove,
  requireSeen,
} from './correction.ts';
import { decideOnce, type MadeCorrection, withKey } from './decide-once.ts';

/** The part of a request that decides whether its sender finds the record: the chart that it names, and the records that the sender reaches. */
export type MoveView = Pick<CorrectionRequest, 'isReached'> & {
  readonly seen: { readonly patientId: string };
};

/** A record that can be moved, the patient in whose chart it is, and the record as it would be in the other chart. */
export const readMove = async (
  { store, newId, definitions, resources }: CorrectionEnvironment,
  {
    resourceType,
    resourceId,
    toPatientId,
    at,
  }: Omit<RecordMove<string>, 'by' | 'reason'> & { readonly at: number },
  view?: MoveView,
) => {
  const definition = definitions.get(resourceType) as RecordDefinition<object>;
  const move = resources.get(resourceType)?.move as (state: object, target: MoveTarget) => MovedRecord;
  const loaded = await load(store, definition, resourceId);
  if (E.isLeft(loaded)) return loaded;
  const unknown = E.left(notFound(resourceType, resourceId));
  if (!recordExists(loaded.right)) return unknown;
  const { state, stored } = loaded.right;
  const patientId = definition.patientId(state);
  if (patientId === null) return unknown;
  if (view !== undefined && !(patientId === view.seen.patientId && (await view.isReached(stored))))
    return unknown;
  if (patientId === toPatientId) {
    return E.left(ruleViolation(correctionIssue('same-chart', 'Correction.toPatientId')));
  }
  const record = ensureNotBackdated(loaded.right, { at, by: null });
  const moved = move(state, { patientId: toPatientId, at: record.at, newId });
  return E.right({ definition, loaded: loaded.right, patientId, moved, at: record.at });
};

/** Moves one record to the chart of another patient. */
export const createMoveToPatient =
  (environment: CorrectionEnvironment) =>
  ({ by, reason, ...record }: RecordMove<string>, request?: CorrectionRequest): Outcome<MadeCorrection> => {
    const { store, now, newId, directory } = environment;
    const { resourceType, resourceId, toPatientId } = record;
    const key = request?.key ?? null;
    const decide = async () => {
      const read = await readMove(environment, { ...record, at: now() }, request);
      if (E.isLeft(read)) return read;
      const { definition, loaded, patientId, moved, at } = read.right;
      const patient = await directory.require('Patient', toPatientId, 'Correction.toPatientId');
      if (E.isLeft(patient)) return patient;
      const versionChecks = [createVersionCheck({ type: 'Patient' }, patient.right)];
      if (request !== undefined) {
        const from = await directory.find('Patient', patientId);
        if (E.isLeft(from)) return from;
        versionChecks.push(createVersionCheck({ type: 'Patient' }, from.right));
        const { version = 0, patientVersion, toPatientVersion } = request.seen;
        const seen = requireSeen({
          version: [version, loaded],
          patientVersion: [patientVersion, from.right],
          toPatientVersion: [toPatientVersion, patient.right],
        });
        if (E.isLeft(seen)) return seen;
      }
      const authorship = { at, by };
      const { commands = [] } = moved.state as Partial<ChartRecord<unknown>>;
      const listed = await moveListedCommands(
        store,
        { type: resourceType, id: resourceId, length: commands.length },
        { patientId: toPatientId, authorship },
      );
      if (E.isLeft(listed)) return listed;
      const { change, correction } = createCorrection(missingRecord(newId()), authorship, {
        kind: 'move',
        reason,
        patientId,
        toPatientId,
        records: [{ type: resourceType, id: resourceId, version: loaded.stored.version + 1 }],
      });
      return E.right({
        changes: [
          createChange(definition, loaded, moved.state, authorship),
          ...moved.sideChanges,
          ...listed.right,
          change,
        ],
        versionChecks,
        result: correction,
      });
    };
    return transact(withKey(store, key), 'move')(decideOnce(store, key, decide));
  };
