import type { RecordRef, StoredRecord } from '../store/port.ts';

/** Records that a load remembers from earlier batches. */
export type RecentRecords = {
  readonly get: (ref: RecordRef) => StoredRecord | null;
  readonly put: (record: StoredRecord) => void;
  readonly clear: () => void;
};

/** Remembers at least as many records as its capacity, and at most twice as many. The older half is dropped at once. */
export const createRecentRecords = (capacity: number): RecentRecords => {
  let recent = new Map<string, StoredRecord>();
  let older = new Map<string, StoredRecord>();
  const keyOf = ({ type, id }: RecordRef) => `${type}/${id}`;
  return {
    get: (ref) => recent.get(keyOf(ref)) ?? older.get(keyOf(ref)) ?? null,
    put: (record) => {
      if (recent.size >= capacity) {
        older = recent;
        recent = new Map();
      }
      recent.set(keyOf(record), record);
    },
    clear: () => {
      recent = new Map();
      older = new Map();
    },
  };
};
