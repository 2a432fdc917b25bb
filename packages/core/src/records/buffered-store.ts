import * as E from 'fp-ts/lib/Either.js';
import { exactVersion, noVersion } from '../store/expected-version.ts';
import { findConflict } from '../store/find-conflict.ts';
import type {
  ClinicalStore,
  Commit,
  RecordChange,
  RecordRef,
  StoredRecord,
  StoreError,
  VersionCheck,
} from '../store/port.ts';
import { createRecentRecords } from './recent-records.ts';

/** A commit in the making: a store to decide on, whose writes are kept back until they are committed as one. */
export type BufferedStore = {
  /** `commit` keeps writes back; `read` answers what is kept back, or what the store had at first; the store answers all else. */
  readonly store: ClinicalStore;
  /** All that was written. Several versions of a record have become one, its last. */
  readonly toCommit: () => Commit;
  /** How many records its commit would write or rely on. */
  readonly size: () => number;
  /** Begins another draft once this one is committed: it remembers records that were read or written, as the store has them now. */
  readonly afterCommit: () => void;
  /** Begins another draft that has read nothing. */
  readonly discard: () => void;
};

/**
 * How many records are remembered, at least: those that many others refer to. What others write meanwhile is found out by
 * the commit, as far as that relies on it.
 */
const maxRemembered = 10_000;

/** A record as it was read, what is to be written of it, and whether what is written relies on it. */
type BufferedRecord = {
  readonly ref: RecordRef;
  readonly read: StoredRecord | null;
  /** The version at which it stands in the draft: each write adds one, though they are committed as one. */
  version: number | null;
  change: RecordChange | null;
  isChecked: boolean;
};

const expectAsRead = ({ read }: BufferedRecord) => (read === null ? noVersion : exactVersion(read.version));

/** The record as it stands in the draft. */
const currentRecord = ({ read, version, change }: BufferedRecord): StoredRecord | null => {
  if (change === null || version === null) return read;
  const { index: _index, expects: _expects, ...record } = change;
  return { ...record, version };
};

/** The record as it stands in the store once the draft is committed. */
const committedRecord = ({ read, change }: BufferedRecord): StoredRecord | null => {
  if (change === null) return read;
  const { index: _index, expects: _expects, ...record } = change;
  return { ...record, version: (read?.version ?? 0) + 1 };
};

/** Begins a draft. What it relies on without writing it is a premise of its commit. */
export const createBufferedStore = (
  store: ClinicalStore,
  isRemembered: (type: string) => boolean = () => false,
): BufferedStore => {
  const remembered = createRecentRecords(maxRemembered);
  let entries: BufferedRecord[] = [];
  let size = 0;
  const byType = new Map<string, Map<string, BufferedRecord>>();

  const discardEntries = () => {
    entries = [];
    size = 0;
    byType.clear();
  };

  const entriesOf = (type: string): Map<string, BufferedRecord> => {
    const ofType = byType.get(type) ?? new Map<string, BufferedRecord>();
    byType.set(type, ofType);
    return ofType;
  };

  const addEntry = (ref: RecordRef, read: StoredRecord | null): BufferedRecord => {
    const entry = { ref, read, version: read?.version ?? null, change: null, isChecked: false };
    entriesOf(ref.type).set(ref.id, entry);
    entries.push(entry);
    return entry;
  };

  /** The sheet of a record that was read before, in this draft or in an earlier one. */
  const knownSheet = ({ type, id }: RecordRef): BufferedRecord | undefined => {
    const existing = entriesOf(type).get(id);
    if (existing !== undefined || !isRemembered(type)) return existing;
    const recent = remembered.get({ type, id });
    return recent === null ? undefined : addEntry({ type, id }, recent);
  };

  /** The sheet of a record that has to be read. */
  const readSheet = async ({ type, id }: RecordRef): Promise<E.Either<StoreError, BufferedRecord>> => {
    const read = await store.read({ type, id })();
    if (E.isLeft(read)) return read;
    return E.right(entriesOf(type).get(id) ?? addEntry({ type, id }, read.right));
  };

  /** The sheet of a record that is demanded. One that is to be new is not looked for: that it is, the commit of the draft sees. */
  const demandedSheet = ({ type, id, expects }: VersionCheck): BufferedRecord | undefined =>
    expects._tag === 'Absent'
      ? (entriesOf(type).get(id) ?? addEntry({ type, id }, null))
      : knownSheet({ type, id });

  const commit: ClinicalStore['commit'] =
    ({ changes, versionChecks }) =>
    async () => {
      const checks = [...changes, ...versionChecks];
      const checked: BufferedRecord[] = [];
      for (const check of checks) {
        const existing = demandedSheet(check);
        const entry = existing === undefined ? await readSheet(check) : E.right(existing);
        if (E.isLeft(entry)) return entry;
        checked.push(entry.right);
      }
      // From here on nothing is waited for, so that nobody else's commit comes in between.
      for (const [at, check] of checks.entries()) {
        const conflict = findConflict(check, (checked[at] as BufferedRecord).version);
        if (conflict !== null) return E.left(conflict);
      }
      for (const entry of checked) {
        if (!entry.isChecked) size += 1;
        entry.isChecked = true;
      }
      return E.right(
        changes.map((change, at) => {
          const entry = checked[at] as BufferedRecord;
          entry.change = change;
          entry.version = (entry.version ?? 0) + 1;
          return entry.version;
        }),
      );
    };

  return {
    store: {
      read: (ref) => async () => {
        const existing = knownSheet(ref);
        const entry = existing === undefined ? await readSheet(ref) : E.right(existing);
        return E.isLeft(entry) ? entry : E.right(currentRecord(entry.right));
      },
      commit,
      readResource: (ref) => store.readResource(ref),
      search: (query) => store.search(query),
      history: (ref) => store.history(ref),
      changesSince: (since) => store.changesSince(since),
      scan: (since) => store.scan(since),
      close: () => store.close(),
    },
    toCommit: () => ({
      changes: entries.flatMap((entry) =>
        entry.change === null ? [] : [{ ...entry.change, expects: expectAsRead(entry) }],
      ),
      versionChecks: entries.flatMap((entry) =>
        entry.isChecked && entry.change === null ? [{ ...entry.ref, expects: expectAsRead(entry) }] : [],
      ),
    }),
    size: () => size,
    afterCommit: () => {
      for (const entry of entries) {
        const record = isRemembered(entry.ref.type) ? committedRecord(entry) : null;
        if (record !== null) remembered.put(record);
      }
      discardEntries();
    },
    discard: () => {
      remembered.clear();
      discardEntries();
    },
  };
};
