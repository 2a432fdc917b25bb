import * as E from 'fp-ts/lib/Either.js';
import type { Outcome } from '../errors.ts';
import { isErasedVersion } from '../records/erased-record.ts';
import type { ClinicalStore, RecordRef, StoredRecord } from '../store/port.ts';
import { readRecords } from './read-records.ts';

const nameOf = ({ type, id }: RecordRef): string => `${type}/${id}`;

/** The resource that was created for an idempotency key, which has a hash of the request. */
const madeFor = ({ state }: StoredRecord): RecordRef =>
  (JSON.parse(state) as { readonly made: RecordRef }).made;

/**
 * Reads the records that an erasure of one record, or of the patient, erases. Those that were erased before are left out.
 * The idempotency key of a record that was moved is still in the chart where the record was created.
 */
export const readRecordsToErase = async (
  store: ClinicalStore,
  target: StoredRecord,
): Outcome<readonly StoredRecord[]> => {
  const ofChart =
    target.type === 'Patient'
      ? await readRecords(store, ({ patientId }) => patientId === target.id)
      : E.right([target]);
  if (E.isLeft(ofChart)) return ofChart;
  const erased = ofChart.right.filter((record) => !isErasedVersion(record));
  const names = new Set(erased.map(nameOf));
  if (names.size === 0) return E.right([]);
  const keys = await readRecords(
    store,
    (record) =>
      record.type === 'IdempotencyKey' &&
      !names.has(nameOf(record)) &&
      !isErasedVersion(record) &&
      names.has(nameOf(madeFor(record))),
  );
  return E.isLeft(keys) ? keys : E.right([...erased, ...keys.right]);
};
