import * as E from 'fp-ts/lib/Either.js';
import { directoryIssue, unknownEntryIssue } from '../directory/issues.ts';
import type { PatientEntry } from '../directory/model.ts';
import { directoryRecordDefinitions } from '../directory/record-definitions.ts';
import { type Outcome, ruleViolation } from '../errors.ts';
import type { CorrectedRecord, Correction } from '../records/correction.ts';
import { type ExistingRecord, recordExists } from '../records/load.ts';
import { createChange, createVersionCheck, ensureNotBackdated } from '../records/record-change.ts';
import { transact } from '../records/transact.ts';
import type { RecordChange } from '../store/port.ts';
import { createCorrection } from './create-correction.ts';
import type { CorrectionEnvironment } from './environment.ts';
import { correctionIssue } from './issues.ts';
import { mergeChart } from './merge-chart.ts';
import { mergeTeamsOf } from './merge-teams.ts';
import { readRecords } from './read-records.ts';
import type { PatientMerge } from './request-bodies.ts';

const { Patient } = directoryRecordDefinitions;

/** The record that a change writes, with its new version. */
const toCorrectedRecord = ({ type, id, expects }: RecordChange): CorrectedRecord => ({
  type,
  id,
  version: expects._tag === 'Version' ? expects.version + 1 : 1,
});

/** Merges a patient into another one, who has both charts from then on. */
export const createMergePatients =
  ({ store, now, newId, directory, teams, definitions }: CorrectionEnvironment) =>
  ({ patientId, toPatientId, by, reason }: PatientMerge): Outcome<Correction> => {
    /** The patient who is replaced. A repeated merge is possible: it moves records that were written in the meantime. */
    const requireReplaceable = async (): Outcome<ExistingRecord<PatientEntry>> => {
      const found = await directory.find('Patient', patientId);
      if (E.isLeft(found)) return found;
      if (!recordExists(found.right)) {
        return E.left(ruleViolation(unknownEntryIssue('Patient', 'Correction.patientId')));
      }
      const { replacedBy = toPatientId } = found.right.state;
      return replacedBy === toPatientId
        ? E.right(found.right)
        : E.left(ruleViolation(directoryIssue('replaced-patient', 'Correction.patientId')));
    };

    return transact(store)(async () => {
      if (patientId === toPatientId) {
        return E.left(ruleViolation(correctionIssue('same-patient', 'Correction.toPatientId')));
      }
      const from = await requireReplaceable();
      if (E.isLeft(from)) return from;
      const into = await directory.require('Patient', toPatientId, 'Correction.toPatientId');
      if (E.isLeft(into)) return into;
      const chart = await readRecords(store, (record) => record.patientId === patientId);
      if (E.isLeft(chart)) return chart;
      const authorship = { at: now(), by };
      const patient = { ...from.right.state, replacedBy: toPatientId };
      const moved = mergeChart(definitions, chart.right, { patientId, toPatientId, authorship });
      const ofTeams = await mergeTeamsOf({ directory, teams }, { patient, toPatientId, authorship });
      if (E.isLeft(ofTeams)) return ofTeams;
      const { change, correction } = createCorrection(newId(), authorship, {
        ...{ kind: 'merge', reason, patientId, toPatientId },
        records: [...moved, ...ofTeams.right.changes].map(toCorrectedRecord),
      });
      return E.right({
        changes: [
          createChange(Patient, from.right, patient, ensureNotBackdated(from.right, authorship)),
          ...moved,
          ...ofTeams.right.changes,
          change,
        ],
        versionChecks: [createVersionCheck(Patient, into.right), ...ofTeams.right.versionChecks],
        result: correction,
      });
    });
  };
