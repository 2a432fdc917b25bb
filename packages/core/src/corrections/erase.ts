import * as E from 'fp-ts/lib/Either.js';
import { notFound, type Outcome, toClinicalError } from '../errors.ts';
import { toOutcome } from '../outcome.ts';
import type { Correction } from '../records/correction.ts';
import { mapVersions } from '../records/past-versions.ts';
import {
  type Authorship,
  type Decision,
  type ExistingRecord,
  isErasedVersion,
  missingRecord,
  renderErasedRecord,
} from '../records/transact.ts';
import type { ClinicalStore, RecordChange, RecordRef, StoredRecord } from '../store/port.ts';
import { recordKey } from '../store/record-key.ts';
import { erasedState, exactVersion, hashContent, sha256 } from '../store/versions.ts';
import { correctCompletely, readRecords } from './complete.ts';
import { type CorrectionEnvironment, createCorrection, type RecordErasure } from './correction.ts';

/** The records that say something of another one: a hash of the request for it, or the author of its commands. */
const isOfAnother = (type: string): boolean => type === 'IdempotencyKey' || type === 'Command';

/** The record that it is about. */
const madeFor = ({ state }: StoredRecord): RecordRef =>
  (JSON.parse(state) as { readonly made: RecordRef }).made;

/** Finds a record that is about one of some others, and was not erased yet. */
const isAbout =
  (names: ReadonlySet<string>) =>
  (record: StoredRecord): boolean =>
    isOfAnother(record.type) &&
    !names.has(recordKey(record)) &&
    !isErasedVersion(record) &&
    names.has(recordKey(madeFor(record)));

/**
 * Reads the records that an erasure of one record, or of the patient, erases. Those that were erased before are left out.
 * The key of a record that was moved is still in the chart where the record was created.
 */
const readRecordsToErase = async (
  store: ClinicalStore,
  target: StoredRecord,
): Outcome<readonly StoredRecord[]> => {
  const ofChart =
    target.type === 'Patient'
      ? await readRecords(store, ({ patientId }) => patientId === target.id)
      : E.right([target]);
  if (E.isLeft(ofChart)) return ofChart;
  const keys = await readRecords(store, isAbout(new Set(ofChart.right.map(recordKey))));
  if (E.isLeft(keys)) return keys;
  return E.right([...ofChart.right.filter((record) => !isErasedVersion(record)), ...keys.right]);
};

/** Finds a record that the erasure of a target erases, among those that were written while its records were read. */
const isLeftOf = ({ type, id }: RecordRef) => {
  const isOfTarget = isAbout(new Set([recordKey({ type, id })]));
  return (record: StoredRecord): boolean =>
    type === 'Patient' ? record.patientId === id && !isErasedVersion(record) : isOfTarget(record);
};

const eraseVersion = (version: StoredRecord): string => erasedState(hashContent(sha256, version));

/** The change that erases all versions of a record, and adds one that says so. */
const eraseRecord = (
  store: ClinicalStore,
  record: StoredRecord,
  { at, by }: Authorship,
): Outcome<RecordChange> => {
  const { type, id, patientId, version } = record;
  return toOutcome(async () => ({
    type,
    id,
    patientId,
    by,
    resource: null,
    index: [],
    at: Math.max(at, record.at),
    state: renderErasedRecord(id, patientId),
    expects: exactVersion(version),
    priorStates: await mapVersions(store, record, eraseVersion),
  }));
};

/** Erases one record, or all records of a patient. */
export const createErase =
  ({ store, now, newId }: CorrectionEnvironment) =>
  ({ resourceType: type, resourceId: id, by, reason }: RecordErasure<string>): Outcome<Correction> => {
    const decide = async (first: ExistingRecord<Correction> | null): Outcome<Decision<Correction>> => {
      const target = await store.read({ type, id });
      if (E.isLeft(target)) return E.left(toClinicalError(target.left));
      const { patientId = null } = target.right ?? {};
      if (target.right === null || patientId === null) return E.left(notFound(type, id));
      const records = await readRecordsToErase(store, target.right);
      if (E.isLeft(records)) return records;
      if (records.right.length === 0)
        return first === null ? E.left(notFound(type, id)) : E.right({ changes: [], result: first.state });
      const authorship = { at: now(), by };
      const changes: RecordChange[] = [];
      for (const record of records.right) {
        const change = await eraseRecord(store, record, authorship);
        if (E.isLeft(change)) return change;
        changes.push(change.right);
      }
      const { change, correction } = createCorrection(first ?? missingRecord(newId()), authorship, {
        kind: 'erasure',
        reason,
        patientId,
        toPatientId: null,
        records: records.right.map(({ type, id, version }) => ({ type, id, version: version + 1 })),
      });
      return E.right({ changes: [...changes, change], result: correction });
    };
    return correctCompletely(store, { decide, isLeft: isLeftOf({ type, id }), cause: null, key: null });
  };
