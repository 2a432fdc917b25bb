import * as E from 'fp-ts/lib/Either.js';
import type { ChartRecord } from '../chart/command.ts';
import { moveListedCommands } from '../chart/listed-command.ts';
import { notFound, type Outcome, ruleViolation } from '../errors.ts';
import type { Correction } from '../records/correction.ts';
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
  correctionIssue,
  createCorrection,
  type RecordMove,
} from './correction.ts';

/** Moves one record to the chart of another patient. */
export const createMoveToPatient =
  ({ store, now, newId, directory, definitions, resources }: CorrectionEnvironment) =>
  ({ resourceType, resourceId, toPatientId, by, reason }: RecordMove<string>): Outcome<Correction> =>
    transact(
      store,
      'move',
    )(async () => {
      const definition = definitions.get(resourceType) as RecordDefinition<object>;
      const move = resources.get(resourceType)?.move as (state: object, target: MoveTarget) => MovedRecord;
      const loaded = await load(store, definition, resourceId);
      if (E.isLeft(loaded)) return loaded;
      if (!recordExists(loaded.right)) return E.left(notFound(resourceType, resourceId));
      const { state, stored } = loaded.right;
      const patientId = definition.patientId(state);
      if (patientId === null) return E.left(notFound(resourceType, resourceId));
      if (patientId === toPatientId) {
        return E.left(ruleViolation(correctionIssue('same-chart', 'Correction.toPatientId')));
      }
      const patient = await directory.require('Patient', toPatientId, 'Correction.toPatientId');
      if (E.isLeft(patient)) return patient;
      const authorship = ensureNotBackdated(loaded.right, { at: now(), by });
      const moved = move(state, { patientId: toPatientId, at: authorship.at, newId });
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
        records: [{ type: resourceType, id: resourceId, version: stored.version + 1 }],
      });
      return E.right({
        changes: [
          createChange(definition, loaded.right, moved.state, authorship),
          ...moved.sideChanges,
          ...listed.right,
          change,
        ],
        versionChecks: [createVersionCheck({ type: 'Patient' }, patient.right)],
        result: correction,
      });
    });
