import * as E from 'fp-ts/lib/Either.js';
import type { Outcome } from '../errors.ts';
import type {
  ClinicalStore,
  Commit,
  RecordChange,
  RecordRef,
  StoredRecord,
  StoreOutcome,
  VersionCheck,
} from '../store/port.ts';
import type { StoreError } from '../store/store-error.ts';
import { exactVersion, findConflict, noVersion } from '../store/versions.ts';
import { type JudgedStore, transact } from './transact.ts';

/** Records that a load remembers from earlier batches. */
type RecentRecords = {
  readonly get: (ref: RecordRef) => StoredRecord | null;
  readonly put: (record: StoredRecord) => void;
  readonly clear: () => void;
};

/** Remembers at least as many records as its capacity, and at most twice as many. The older half is dropped at once. */
const createRecentRecords = (capacity: number): RecentRecords => {
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

/** A store that buffers its writes until they are committed as one. */
export type BufferedStore = {
  /** `commit` buffers writes. `read` returns the buffered record, or else the record as first read. All else goes to the store. */
  readonly store: JudgedStore;
  /** Reads records together, so that a store on another machine is asked once for all of them. */
  readonly readAhead: (refs: readonly RecordRef[]) => StoreOutcome<void>;
  /** All writes as one commit, in the order of the first write of each record. Only the last of several versions is in it. */
  readonly toCommit: () => Commit;
  /** How many records the commit would write or check. */
  readonly size: () => number;
  /** Empties the buffer after its commit. Records that were read or written are remembered as the store has them now. */
  readonly afterCommit: () => void;
  /** Empties the buffer, and forgets the remembered records. */
  readonly discard: () => void;
};

/**
 * How many records are remembered, at least. They are records to which many others refer. If another writer changes one
 * meanwhile, a commit that relies on it detects this.
 */
const maxRemembered = 10_000;

/** A record as it was read, its buffered change, and whether the commit checks or writes it. */
type BufferedRecord = {
  readonly ref: RecordRef;
  readonly read: StoredRecord | null;
  /** The version in the buffered store. Each write adds one, though all writes are committed as one. */
  version: number | null;
  change: RecordChange | null;
  isChecked: boolean;
};

const expectAsRead = ({ read }: BufferedRecord) => (read === null ? noVersion : exactVersion(read.version));

const recordOf = (
  { type, id, patientId, at, by, state, resource }: RecordChange,
  version: number,
): StoredRecord => ({ type, id, version, patientId, at, by, state, resource });

/** The record with its buffered change. */
const currentRecord = ({ read, version, change }: BufferedRecord): StoredRecord | null =>
  change === null || version === null ? read : recordOf(change, version);

/** The record in the store after the commit. */
const committedRecord = ({ read, change }: BufferedRecord): StoredRecord | null =>
  change === null ? read : recordOf(change, (read?.version ?? 0) + 1);

/** The records of a buffer. */
type BufferEntries = {
  /** The buffered record, if it was read before: since the last commit, or earlier and remembered. */
  readonly find: (ref: RecordRef) => BufferedRecord | undefined;
  /** Reads a record from the store into the buffer. */
  readonly read: (ref: RecordRef) => Promise<E.Either<StoreError, BufferedRecord>>;
  /** The buffered record for a version check. A record that must be absent is not read, because the commit checks that. */
  readonly findForCheck: (check: VersionCheck) => BufferedRecord | undefined;
  readonly check: (entry: BufferedRecord) => void;
  /** Returns the version in the buffered store. */
  readonly write: (entry: BufferedRecord, change: RecordChange) => number;
  readonly all: () => readonly BufferedRecord[];
  /** The records of a type that were written, in the order in which they were first written. */
  readonly heldOf: (type: string) => readonly StoredRecord[];
  readonly clear: () => void;
} & Pick<BufferedStore, 'toCommit' | 'size'>;

const createBufferEntries = (
  store: ClinicalStore,
  findRemembered: (ref: RecordRef) => StoredRecord | null,
): BufferEntries => {
  let entries: BufferedRecord[] = [];
  /** Those with a change, in the order in which they were first written. */
  let written: BufferedRecord[] = [];
  let size = 0;
  const byType = new Map<string, Map<string, BufferedRecord>>();

  const findBuffered = ({ type, id }: RecordRef): BufferedRecord | undefined => byType.get(type)?.get(id);

  const add = (ref: RecordRef, read: StoredRecord | null): BufferedRecord => {
    const entry = { ref, read, version: read?.version ?? null, change: null, isChecked: false };
    const ofType = byType.get(ref.type) ?? new Map<string, BufferedRecord>();
    byType.set(ref.type, ofType.set(ref.id, entry));
    entries.push(entry);
    return entry;
  };

  const find = ({ type, id }: RecordRef): BufferedRecord | undefined => {
    const existing = findBuffered({ type, id });
    if (existing !== undefined) return existing;
    const recent = findRemembered({ type, id });
    return recent === null ? undefined : add({ type, id }, recent);
  };

  return {
    find,
    read: async ({ type, id }) => {
      const read = await store.read({ type, id });
      if (E.isLeft(read)) return read;
      return E.right(findBuffered({ type, id }) ?? add({ type, id }, read.right));
    },
    findForCheck: ({ type, id, expects }) =>
      expects._tag === 'Absent'
        ? (findBuffered({ type, id }) ?? add({ type, id }, null))
        : find({ type, id }),
    check: (entry) => {
      if (!entry.isChecked) size += 1;
      entry.isChecked = true;
    },
    write: (entry, change) => {
      if (entry.change === null) written.push(entry);
      entry.change = change;
      entry.version = (entry.version ?? 0) + 1;
      return entry.version;
    },
    toCommit: () => ({
      changes: written.flatMap((entry) =>
        entry.change === null ? [] : [{ ...entry.change, expects: expectAsRead(entry) }],
      ),
      versionChecks: entries.flatMap((entry) =>
        entry.isChecked && entry.change === null ? [{ ...entry.ref, expects: expectAsRead(entry) }] : [],
      ),
    }),
    size: () => size,
    all: () => entries,
    heldOf: (type) =>
      written.filter(({ ref }) => ref.type === type).map((entry) => currentRecord(entry) as StoredRecord),
    clear: () => {
      entries = [];
      written = [];
      size = 0;
      byType.clear();
    },
  };
};

const createCommit =
  ({ findForCheck, read, check, write }: BufferEntries): ClinicalStore['commit'] =>
  async ({ changes, versionChecks }) => {
    const checked: { readonly versionCheck: VersionCheck; readonly entry: BufferedRecord }[] = [];
    for (const versionCheck of [...changes, ...versionChecks]) {
      const existing = findForCheck(versionCheck);
      const entry = existing === undefined ? await read(versionCheck) : E.right(existing);
      if (E.isLeft(entry)) return entry;
      checked.push({ versionCheck, entry: entry.right });
    }
    // There is no `await` from here on, so no other commit can come in between.
    for (const { versionCheck, entry } of checked) {
      const conflict = findConflict(versionCheck, entry.version);
      if (conflict !== null) return E.left(conflict);
    }
    for (const { entry } of checked) check(entry);
    return E.right(
      changes.map((change, index) => write((checked[index] as (typeof checked)[number]).entry, change)),
    );
  };

/** Creates a buffered store. A record that its writes rely on, but do not change, becomes a version check of the commit. */
export const createBufferedStore = (
  store: JudgedStore,
  isRemembered: (type: string) => boolean = () => false,
): BufferedStore => {
  const remembered = createRecentRecords(maxRemembered);
  const entries = createBufferEntries(store, (ref) => (isRemembered(ref.type) ? remembered.get(ref) : null));
  const { find, read, toCommit, size } = entries;

  return {
    store: {
      read: (ref) => {
        const existing = find(ref);
        return existing === undefined
          ? read(ref).then(E.map(currentRecord))
          : Promise.resolve(E.right(currentRecord(existing)));
      },
      commit: createCommit(entries),
      commitAll: (commits, writes) => store.commitAll(commits, writes),
      readResource: (ref) => store.readResource(ref),
      search: (query) => store.search(query),
      readVersion: (ref) => store.readVersion(ref),
      history: (range) => store.history(range),
      changesSince: (since) => store.changesSince(since),
      feedEnd: () => store.feedEnd(),
      scan: (since) => store.scan(since),
      indexedParameters: () => store.indexedParameters(),
      close: () => store.close(),
      ...(store.judge !== undefined && { judge: store.judge, heldOf: entries.heldOf }),
    },
    readAhead: async (refs) => {
      const loaded = await Promise.all(refs.filter((ref) => find(ref) === undefined).map(read));
      return loaded.find(E.isLeft) ?? E.right(undefined);
    },
    toCommit,
    size,
    afterCommit: () => {
      for (const entry of entries.all()) {
        const record = isRemembered(entry.ref.type) ? committedRecord(entry) : null;
        if (record !== null) remembered.put(record);
      }
      entries.clear();
    },
    discard: () => {
      remembered.clear();
      entries.clear();
    },
  };
};

/** Commits all writes of a function as one. If it returns an error, nothing is written. The function may run several times. */
export const commitAsOne = <A>(
  store: ClinicalStore,
  work: (buffer: ClinicalStore) => Outcome<A>,
): Outcome<A> =>
  transact(
    store,
    null,
  )(async () => {
    const buffer = createBufferedStore(store);
    const done = await work(buffer.store);
    if (E.isLeft(done)) return done;
    const { changes, versionChecks } = buffer.toCommit();
    return E.right({ changes, versionChecks, result: done.right });
  });
