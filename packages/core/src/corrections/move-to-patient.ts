import * as E from 'fp-ts/lib/Either.js';
import type { ChartRecord } from '../chart/command.ts';
import { addToNote } from '../directory/add-to-note.ts';
import { directoryRecordDefinitions } from '../directory/record-definitions.ts';
import { notFound, type Outcome, ruleViolation } from '../errors.ts';
import { formatInstant } from '../fhir/date-time.ts';
import type { Correction } from '../records/correction.ts';
import { load, recordExists } from '../records/load.ts';
import { createChange, createVersionCheck, ensureNotBackdated } from '../records/record-change.ts';
import type { RecordDefinition } from '../records/record-definition.ts';
import { transact } from '../records/transact.ts';
import { createCorrection } from './create-correction.ts';
import type { CorrectionEnvironment } from './environment.ts';
import { correctionIssue } from './issues.ts';
import { type CommandBody, moveRecord } from './move-command.ts';
import type { RecordMove } from './request-bodies.ts';

/** Moves one record to the chart of another patient. An immunization gets a note of its own there. */
export const createMoveToPatient =
  ({ store, now, newId, directory, definitions }: CorrectionEnvironment) =>
  ({ resourceType, resourceId, toPatientId, by, reason }: RecordMove): Outcome<Correction> =>
    transact(store)(async () => {
      const definition = definitions[resourceType] as RecordDefinition<ChartRecord<CommandBody>>;
      const loaded = await load(store, definition, resourceId);
      if (E.isLeft(loaded)) return loaded;
      if (!recordExists(loaded.right)) return E.left(notFound(resourceType, resourceId));
      const { state, stored } = loaded.right;
      if (state.patientId === toPatientId) {
        return E.left(ruleViolation(correctionIssue('same-chart', 'Correction.toPatientId')));
      }
      const patient = await directory.require('Patient', toPatientId, 'Correction.toPatientId');
      if (E.isLeft(patient)) return patient;
      const authorship = ensureNotBackdated(loaded.right, { at: now(), by });
      const { at } = authorship;
      const noteId = newId();
      const dateOfService = formatInstant(at);
      const note = { id: noteId, patientId: toPatientId, encounterId: null, title: null, dateOfService };
      const moved = moveRecord(state, { patientId: toPatientId, noteId });
      const { change, correction } = createCorrection(newId(), authorship, {
        ...{ kind: 'move', reason, patientId: state.patientId, toPatientId },
        records: [{ type: resourceType, id: resourceId, version: stored.version + 1 }],
      });
      return E.right({
        changes: [
          createChange(definition, loaded.right, moved, authorship),
          ...(resourceType === 'Immunization' ? addToNote(resourceId, { note, isNew: true }, at) : []),
          change,
        ],
        versionChecks: [createVersionCheck(directoryRecordDefinitions.Patient, patient.right)],
        result: correction,
      });
    });
