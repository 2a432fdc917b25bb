import { isErasedVersion } from '../records/erased-record.ts';
import type { IndexedRecord, RecordRef } from '../store/port.ts';

/** Whether a record is the idempotency key of a resource, which has a hash of the request that created it. */
const isKeyOf = ({ type, state }: IndexedRecord, created: RecordRef): boolean => {
  if (type !== 'IdempotencyKey') return false;
  const { made } = JSON.parse(state) as { readonly made: RecordRef };
  return made.type === created.type && made.id === created.id;
};

/** The records of a chart that an erasure of one record, or of the patient, erases. Those that were erased before are left out. */
export const recordsToErase = (
  chart: readonly IndexedRecord[],
  target: RecordRef,
): readonly IndexedRecord[] => {
  const present = chart.filter((record) => !isErasedVersion(record));
  if (target.type === 'Patient') return present;
  return present.filter(
    (record) => (record.type === target.type && record.id === target.id) || isKeyOf(record, target),
  );
};
