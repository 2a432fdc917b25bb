import * as E from 'fp-ts/lib/Either.js';
import { notFound, type Outcome, toClinicalError } from '../errors.ts';
import type { Correction } from '../records/correction.ts';
import { renderErasedRecord } from '../records/erased-record.ts';
import type { Authorship } from '../records/record-change.ts';
import { transact } from '../records/transact.ts';
import { sha256 } from '../sha256.ts';
import { erasedState, hashContent } from '../store/digest.ts';
import { exactVersion } from '../store/expected-version.ts';
import type { ClinicalStore, RecordChange, StoredRecord } from '../store/port.ts';
import { createCorrection } from './create-correction.ts';
import type { CorrectionEnvironment } from './environment.ts';
import { readRecordsToErase } from './records-to-erase.ts';
import type { RecordErasure } from './request-bodies.ts';

const eraseVersion = (version: StoredRecord): string => erasedState(hashContent(sha256, version));

/** The change that erases all versions of a record, and adds one that says so. */
const eraseRecord = async (
  store: ClinicalStore,
  record: StoredRecord,
  { at, by }: Authorship,
): Outcome<RecordChange> => {
  const { type, id, patientId, version } = record;
  const versions = await store.history({ type, id });
  if (E.isLeft(versions)) return E.left(toClinicalError(versions.left));
  return E.right({
    ...{ type, id, patientId, by, resource: null, index: [] },
    at: Math.max(at, record.at),
    state: renderErasedRecord(id, patientId),
    expects: exactVersion(version),
    priorStates: versions.right.toReversed().map(eraseVersion),
  });
};

/** Erases one record, or all records of a patient. */
export const createErase =
  ({ store, now, newId }: CorrectionEnvironment) =>
  ({ resourceType: type, resourceId: id, by, reason }: RecordErasure): Outcome<Correction> =>
    transact(store)(async () => {
      const target = await store.read({ type, id });
      if (E.isLeft(target)) return E.left(toClinicalError(target.left));
      const { patientId = null } = target.right ?? {};
      if (target.right === null || patientId === null) return E.left(notFound(type, id));
      const records = await readRecordsToErase(store, target.right);
      if (E.isLeft(records)) return records;
      if (records.right.length === 0) return E.left(notFound(type, id));
      const authorship = { at: now(), by };
      const changes: RecordChange[] = [];
      for (const record of records.right) {
        const change = await eraseRecord(store, record, authorship);
        if (E.isLeft(change)) return change;
        changes.push(change.right);
      }
      const { change, correction } = createCorrection(newId(), authorship, {
        ...{ kind: 'erasure', reason, patientId, toPatientId: null },
        records: records.right.map(({ type, id, version }) => ({ type, id, version: version + 1 })),
      });
      return E.right({ changes: [...changes, change], result: correction });
    });
