import * as E from 'fp-ts/lib/Either.js';
import { misuseError } from '../store/errors.ts';
import { matches, takeMatches } from '../store/matches.ts';
import type {
  ClinicalStore,
  Commit,
  RecordChange,
  RecordRef,
  SearchMatch,
  SearchPage,
  StoredRecord,
  StoredVersion,
  StoreOutcome,
  VersionCheck,
} from '../store/port.ts';
import type { SearchQuery } from '../store/query.ts';
import type { StoreError } from '../store/store-error.ts';
import {
  exactVersion,
  findConflict,
  noVersion,
  toStoredResource,
  versionsInRange,
} from '../store/versions.ts';
import { areMet } from './transact.ts';

/** A store of which nothing is written before all of it is: see `createTransactionStore`. */
export type TransactionStore = {
  /** Its `commit` keeps the commit, and its reads show what was kept. */
  readonly store: ClinicalStore;
  /**
   * Ends it, and returns the commits to write one after the other. The first one checks that all that was read is unchanged.
   */
  readonly end: () => readonly Commit[];
  /**
   * Whether a record has changed since it was read. Other reads may then show another moment, so neither a refusal nor an error of
   * the callback counts. False if that cannot be found out.
   */
  readonly isStale: () => Promise<boolean>;
};

/** A record of a transaction: as it was read, and the versions that the transaction has made since. */
type TransactionRecord = RecordRef & {
  readonly read: StoredRecord | null;
  readonly made: { readonly change: RecordChange; readonly record: StoredRecord }[];
};

const currentOf = ({ read, made }: TransactionRecord): StoredRecord | null => made.at(-1)?.record ?? read;

const toRecord = (
  { index: _index, expects: _expects, priorStates: _, ...change }: RecordChange,
  version: number,
) => ({
  ...change,
  version,
});

const refuse = async () =>
  E.left(
    misuseError('This cannot be called on the tx of records.transaction. Call it on the records themselves.'),
  );

const searchTooLarge = E.left(
  misuseError(
    'In records.transaction, a search that may find what the transaction has written reads at most a thousand matches. Search before it writes, or add a condition such as a patient.',
  ),
);

const staleError: E.Either<StoreError, never> = E.left({
  _tag: 'Unavailable',
  message: 'A record that the transaction has read has changed since.',
  cause: null,
});

const transactionOver = E.left(
  misuseError('The transaction is over. Await everything that belongs to it before its callback ends.'),
);

/** The most matches of a search that are compared with what the transaction has written. */
const maxMatches = 1000;

/** The records that a transaction has read or written, and its commits. */
type Journal = {
  /** The record as the transaction first read it. */
  readonly find: (ref: RecordRef) => StoreOutcome<TransactionRecord>;
  /** The records of a type that the transaction has written. */
  readonly written: (type: string) => readonly TransactionRecord[];
  /** Keeps a commit that changes some records. Returns their versions. */
  readonly keep: (commit: Commit, records: readonly TransactionRecord[]) => readonly number[];
} & Pick<TransactionStore, 'end' | 'isStale'>;

const createJournal = (store: ClinicalStore): Journal => {
  const byType = new Map<string, Map<string, TransactionRecord>>();
  const commits: Commit[] = [];

  const ofType = (type: string): Map<string, TransactionRecord> => {
    const existing = byType.get(type) ?? new Map<string, TransactionRecord>();
    byType.set(type, existing);
    return existing;
  };

  /** The checks that each record is as it was first read. */
  const checksOfReads = (): readonly VersionCheck[] =>
    [...byType.values()].flatMap((records) =>
      [...records.values()].map(({ type, id, read }) => ({
        type,
        id,
        expects: read === null ? noVersion : exactVersion(read.version),
      })),
    );

  return {
    find: async ({ type, id }) => {
      const existing = ofType(type).get(id);
      if (existing !== undefined) return E.right(existing);
      const read = await store.read({ type, id });
      if (E.isLeft(read)) return read;
      const record = ofType(type).get(id) ?? { type, id, read: read.right, made: [] };
      ofType(type).set(id, record);
      return E.right(record);
    },
    written: (type) => [...ofType(type).values()].filter(({ made }) => made.length > 0),
    keep: ({ changes, versionChecks }, records) => {
      commits.push({ changes: [...changes], versionChecks: [...versionChecks] });
      return changes.map((change, index) => {
        const record = records[index] as TransactionRecord;
        const version = (currentOf(record)?.version ?? 0) + 1;
        record.made.push({ change, record: toRecord(change, version) });
        return version;
      });
    },
    end: () => [{ changes: [], versionChecks: checksOfReads() }, ...commits],
    isStale: async () => {
      const met = await areMet(store, checksOfReads());
      return E.isRight(met) && !met.right;
    },
  };
};

const createCommit =
  ({ find, keep, isStale }: Journal): ClinicalStore['commit'] =>
  async (requested) => {
    const { changes, versionChecks } = requested;
    if (requested.reindexing !== undefined || changes.some(({ priorStates }) => priorStates !== undefined))
      return refuse();
    const checks = [...changes, ...versionChecks];
    const found = await Promise.all(checks.map(find));
    const records: TransactionRecord[] = [];
    for (const record of found) {
      if (E.isLeft(record)) return record;
      records.push(record.right);
    }
    // There is no `await` from here on before the commit is kept, so no other one can come in between.
    for (const [index, check] of checks.entries()) {
      const current = currentOf(records[index] as TransactionRecord);
      const conflict = findConflict(check, current?.version ?? null);
      if (conflict === null) continue;
      // Deciding again would read the same records.
      return (await isStale()) ? staleError : E.left(conflict);
    }
    return E.right(keep(requested, records));
  };

const createReadVersion =
  (store: ClinicalStore, { find }: Journal): ClinicalStore['readVersion'] =>
  async (ref) => {
    const record = await find(ref);
    if (E.isLeft(record)) return record;
    const { read, made } = record.right;
    const own = made.find((version) => version.record.version === ref.version);
    if (own !== undefined) return E.right(own.record);
    return ref.version <= (read?.version ?? 0) ? store.readVersion(ref) : E.right(null);
  };

const createHistory =
  (store: ClinicalStore, { find }: Journal): ClinicalStore['history'] =>
  async (range) => {
    const record = await find(range);
    if (E.isLeft(record)) return record;
    const { read, made } = record.right;
    const own = versionsInRange(made.map((version) => version.record).reverse(), range);
    const limit = range.limit - own.length;
    if (read === null || limit <= 0) return E.right(own);
    const before = Math.min(range.before ?? Number.POSITIVE_INFINITY, read.version + 1);
    const earlier = await store.history({ ...range, before, limit });
    return E.map((versions: readonly StoredVersion[]) => [...own, ...versions])(earlier);
  };

const searchAll = (
  store: ClinicalStore,
  query: Pick<SearchQuery, 'type' | 'conditions'>,
): StoreOutcome<SearchPage> =>
  store.search({ ...query, start: { offset: 0 }, count: maxMatches, withTotal: false });

/** Some records that are stored, in the order of their creation. */
const orderOf = async (
  store: ClinicalStore,
  type: string,
  ids: readonly string[],
): StoreOutcome<readonly string[]> => {
  if (ids.length > maxMatches) return searchTooLarge;
  const found = await searchAll(store, { type, conditions: [{ on: 'id', anyOf: ids }] });
  return E.map(({ matches }: SearchPage) => matches.map(({ id }) => id))(found);
};

/** All matches of a search, with what the transaction has written, and the ids of these records in the order of their creation. */
const findMatches = async (
  store: ClinicalStore,
  { start, count: _count, maxBytes: _maxBytes, ...query }: SearchQuery,
  written: readonly TransactionRecord[],
): StoreOutcome<{
  readonly matches: ReadonlyMap<string, SearchMatch>;
  readonly order: readonly string[];
}> => {
  const stored = await searchAll(store, query);
  if (E.isLeft(stored)) return stored;
  if (stored.right.hasMore) return searchTooLarge;
  const found = new Map(stored.right.matches.map((match) => [match.id, match]));
  const isMatch = matches(query);
  for (const { made } of written) {
    const { change, record } = made.at(-1) as TransactionRecord['made'][number];
    const { id, version, at, resource } = record;
    found.delete(id);
    if (resource !== null && isMatch({ ...record, index: change.index }))
      found.set(id, { id, version, at, resource });
  }
  const created = written.filter((record) => record.read === null).map(({ id }) => id);
  const storedIds = new Set([...found.keys(), ...('after' in start ? [start.after] : [])]);
  for (const id of created) storedIds.delete(id);
  const order = await orderOf(store, query.type, [...storedIds]);
  return E.map((ids: readonly string[]) => ({ matches: found, order: [...ids, ...created] }))(order);
};

const createSearch =
  (store: ClinicalStore, journal: Journal): ClinicalStore['search'] =>
  async (query) => {
    const written = journal.written(query.type);
    if (written.length === 0) return store.search(query);
    const found = await findMatches(store, query, written);
    if (E.isLeft(found)) return found;
    const { matches: all, order } = found.right;
    const { start, withTotal } = query;
    const matchesIn = (ids: readonly string[]) => ids.flatMap((id) => all.get(id) ?? []);
    if ('offset' in start)
      return E.right({
        ...takeMatches(matchesIn(order).slice(start.offset), query),
        total: withTotal ? all.size : null,
      });
    const last = order.indexOf(start.after);
    const rest = last === -1 ? [] : matchesIn(order.slice(last + 1));
    return E.right({ ...takeMatches(rest, query), total: withTotal ? all.size : null });
  };

/**
 * Creates a store on which a host decides before anything is open. Each commit stays a commit of its own, with its author.
 * Reads by id, histories and searches show what the transaction has written, and the rest as it was first read.
 */
export const createTransactionStore = (store: ClinicalStore): TransactionStore => {
  const journal = createJournal(store);
  let isOver = false;

  const whileOpen =
    <Sent, A>(run: (sent: Sent) => StoreOutcome<A>) =>
    async (sent: Sent): StoreOutcome<A> =>
      isOver ? transactionOver : run(sent);

  const read: ClinicalStore['read'] = async (ref) => E.map(currentOf)(await journal.find(ref));

  return {
    store: {
      read: whileOpen(read),
      readResource: whileOpen(async (ref) =>
        E.map((record: StoredRecord | null) => record && toStoredResource(record))(await read(ref)),
      ),
      search: whileOpen(createSearch(store, journal)),
      commit: whileOpen(createCommit(journal)),
      commitAll: refuse,
      readVersion: whileOpen(createReadVersion(store, journal)),
      history: whileOpen(createHistory(store, journal)),
      changesSince: refuse,
      feedEnd: refuse,
      scan: refuse,
      indexedParameters: refuse,
      close: () => store.close(),
    },
    end: () => {
      isOver = true;
      return journal.end();
    },
    isStale: journal.isStale,
  };
};
