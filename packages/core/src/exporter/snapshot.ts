import { orThrow } from '../outcome.ts';
import type { ClinicalStore, FeedEntry, RecordRef, StoredRecord } from '../store/port.ts';
import { createPageReader } from '../verify/page-reader.ts';

/** The records of a store as they were at one moment, while others write. */
export type Snapshot = {
  /** All records, in pages and in the order of their creation. */
  readonly pages: () => AsyncGenerator<readonly StoredRecord[], void>;
  /** Some records, in the order of the names; null for one that did not exist. */
  readonly read: (refs: readonly RecordRef[]) => Promise<readonly (StoredRecord | null)[]>;
};

const nameOf = ({ type, id }: RecordRef): string => JSON.stringify([type, id]);

/**
 * Takes a snapshot at the current end of the feed. No store needs to keep a moment: the feed shows which records were
 * written since, and their histories have the versions before. Memory grows only by the names of these records. Rejects
 * with a `ClinicalRecordsError`, as the reads of the snapshot do.
 */
export const takeSnapshot = async (store: ClinicalStore): Promise<Snapshot> => {
  const end = await orThrow(store.feedEnd());
  const nextVersions = createPageReader(store.changesSince, end?.position);
  const walkToEnd = async (visit: (entry: FeedEntry) => void): Promise<void> => {
    for (let isOver = false; !isOver; ) {
      const { entries, isLast } = await nextVersions();
      entries.forEach(visit);
      isOver = isLast;
    }
  };

  /** The first version of each record that was written since. */
  const firstVersions = new Map<string, number>();
  /** Returns records that were just read as they were at the moment of the snapshot. */
  const restore = async (
    records: readonly (StoredRecord | null)[],
  ): Promise<readonly (StoredRecord | null)[]> => {
    await walkToEnd((entry) => {
      const name = nameOf(entry);
      if (!firstVersions.has(name)) firstVersions.set(name, entry.version);
    });
    return Promise.all(
      records.map(async (record) => {
        const first = record === null ? undefined : firstVersions.get(nameOf(record));
        if (record === null || first === undefined) return record;
        if (first === 1) return null;
        const versions = await orThrow(store.history(record));
        return versions.find(({ version }) => version === first - 1) ?? null;
      }),
    );
  };

  return {
    pages: async function* () {
      const nextRecords = createPageReader(store.scan);
      for (let isOver = false; !isOver; ) {
        const { entries, isLast } = await nextRecords();
        yield (await restore(entries)).filter((record) => record !== null);
        isOver = isLast;
      }
    },
    read: async (refs) => restore(await Promise.all(refs.map((ref) => orThrow(store.read(ref))))),
  };
};
