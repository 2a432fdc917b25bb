import { AsyncLocalStorage } from 'node:async_hooks';
import { ClinicalRecordsError } from '@clinical-records/core';
import {
  type ClinicalStore,
  type Commit,
  endsWithTransactionError,
  nestedTransactionError,
  type OrderedQuery,
  type SearchPage,
  type SearchQuery,
  type StoreError,
  type StoreOutcome,
  storeClosedError,
} from '@clinical-records/core/store';
import { type Either, flatten, left } from 'fp-ts/lib/Either.js';
import {
  type FileWatch,
  openDatabase,
  requirePrefix,
  type SqliteDatabase,
  type SqliteHandle,
  type SqliteStoreOptions,
} from './database.ts';
import { createGroupRead, createRecordLookup } from './group-read.ts';
import { createHostTransactionGate, makeJoinable } from './host-transaction.ts';
import { createRecordReader, createRecordScanner } from './record-reader.ts';
import { createQueryBuilder, type QueryBuilder } from './schema.ts';
import { createSearcher } from './search/searcher.ts';
import { createParameterTexts, createTermDictionary } from './statement.ts';
import { attempt, fileGoneError, OtherSchemaError, sqliteError } from './store-errors.ts';
import { migrations } from './tables/migrations.ts';
import { openTables } from './tables/open-tables.ts';
import { lastVersionOf, prepareSchemaVersion } from './tables/schema-version.ts';
import { createCommitAll } from './write/commit-all.ts';
import { createCommitWriter } from './write/commit-writer.ts';
import { createCommitDoubt, createGroupCommit, type GroupCommit } from './write/group-commit.ts';

type SqliteStoreSettings = {
  /** The handle, as the host has it. */
  readonly connection: SqliteHandle;
  readonly fileWatch: FileWatch;
  /** How many milliseconds to wait for a transaction of the host. */
  readonly transactionTimeout: number;
  readonly beforeCommit: () => void;
  /** Is called once, when the store is closed. */
  readonly release: () => Promise<void>;
};

/** How a store works: at once in a transaction of the host, or together with other work outside of any. */
type StoreOperations = {
  readonly read: <A>(work: () => A) => StoreOutcome<A>;
  readonly readRecord: ClinicalStore['read'];
  readonly search: (query: SearchQuery | OrderedQuery) => StoreOutcome<SearchPage>;
  readonly commit: (commit: Commit) => StoreOutcome<readonly number[]>;
  readonly commitAll: ClinicalStore<SqliteHandle>['commitAll'];
  readonly close: ClinicalStore['close'];
};

/** The reads of a store, each of which is run when the store is to be read. */
type StoreReads = ReturnType<typeof createRecordReader> & {
  readonly scan: ReturnType<typeof createRecordScanner>;
  readonly indexedParameters: ReturnType<typeof createParameterTexts>['read'];
};

const assembleStore = (
  { readResource, readVersion, readHistory, readFeedEnd, changesSince, scan, indexedParameters }: StoreReads,
  { read, readRecord, search, commit, commitAll, close }: StoreOperations,
): ClinicalStore<SqliteHandle> => ({
  read: readRecord,
  readResource: (ref) => read(() => readResource(ref)),
  search,
  searchInOrder: search,
  commit,
  commitAll,
  readVersion: (ref) => read(() => readVersion(ref)),
  history: (range) => read(() => readHistory(range)),
  changesSince: async (range) => flatten(await read(() => changesSince(range))),
  feedEnd: () => read(readFeedEnd),
  scan: async (range) => flatten(await read(() => scan(range))),
  indexedParameters: () => read(indexedParameters),
  close,
});

/** Whether the changes of a commit are in the database, as some versions. */
const createWrittenCheck =
  ({ readVersion }: Pick<StoreReads, 'readVersion'>) =>
  ({ changes, reindexing }: Commit, versions: readonly number[]): boolean => {
    // Entries may be what they were before.
    if (reindexing !== undefined) throw new Error('It is not known whether index entries were written.');
    return changes.every(({ type, id, at, by, state }, index) => {
      const written = readVersion({ type, id, version: versions[index] ?? 0 });
      return written?.at === at && written.by === by && written.state === state;
    });
  };

/** How a store works in a transaction of the host: at once, unless `check` returns a reason why it cannot. */
const createJoinedOperations = (
  check: () => StoreError | null | Promise<StoreError | null>,
  { readCurrent }: StoreReads,
  {
    searches,
    writes,
  }: {
    readonly searches: Pick<ReturnType<typeof createSearcher>, 'searchSynchronously'>;
    readonly writes: Pick<GroupCommit, 'commitInTransaction'>;
  },
): StoreOperations => {
  const ifOpen = async <A>(run: () => Either<StoreError, A>): StoreOutcome<A> => {
    const checked = check();
    // Without a question to wait for, the work is done with the call.
    const error = checked instanceof Promise ? await checked : checked;
    return error === null ? run() : left(error);
  };
  return {
    read: (work) => ifOpen(() => attempt(work)),
    readRecord: (ref) => ifOpen(() => attempt(() => readCurrent(ref))),
    search: (query) => ifOpen(() => searches.searchSynchronously(query)),
    commit: (commit) => ifOpen(() => writes.commitInTransaction(commit)),
    commitAll: async () => left(nestedTransactionError),
    close: async () => {
      throw new ClinicalRecordsError(endsWithTransactionError);
    },
  };
};

const schemaInterval = 1000;

/** Finds out whether another version of the library has migrated the tables while a store is open. */
const createSchemaWatch = (database: SqliteDatabase, db: QueryBuilder) => {
  const expected = lastVersionOf(migrations);
  const schemaVersion = prepareSchemaVersion(database, db);
  let error: StoreError | null = null;
  let checkedAt = performance.now();

  /** Throws if it has. In a transaction that writes, no other process can do so before its end. */
  const requireSame = (): void => {
    checkedAt = performance.now();
    const version = schemaVersion.first(null)?.schema_version;
    if (version === expected) return;
    const cause = new OtherSchemaError(version, expected);
    error = sqliteError(cause);
    throw cause;
  };

  /** The error if it has, at most one second old; null otherwise. */
  const findError = (): StoreError | null => {
    // In a transaction of the host, the read would choose the moment that the host's own reads see.
    if (performance.now() - checkedAt > schemaInterval && !database.inTransaction) {
      // A file that cannot be read is the error of the call itself.
      attempt(requireSame);
    }
    return error;
  };

  return { requireSame, findError };
};

/** Creates the store on a database that has its tables. */
const createSqliteStore = (
  database: SqliteDatabase,
  db: QueryBuilder,
  { connection, fileWatch, transactionTimeout, beforeCommit, release }: SqliteStoreSettings,
): ClinicalStore<SqliteHandle> => {
  const termDictionary = createTermDictionary(database, db);
  const reader = createRecordReader(database, db);
  const reads: StoreReads = {
    ...reader,
    scan: createRecordScanner(database, db),
    indexedParameters: createParameterTexts(database, db).read,
  };
  const schemaWatch = createSchemaWatch(database, db);
  let isOpen = true;

  const hostTransactions = createHostTransactionGate(database, {
    transactionTimeout,
    isStoreOpen: () => isOpen,
  });
  const groupReads = createGroupRead(database, hostTransactions);
  const lookups = createRecordLookup(groupReads, reader);
  const searches = createSearcher(database, db, { reads: groupReads, terms: termDictionary });
  const doubt = createCommitDoubt(database, createWrittenCheck(reader));
  const writer = createCommitWriter(database, db, {
    terms: termDictionary,
    requireSameSchema: schemaWatch.requireSame,
  });
  const settings = { writer, doubt, hostTransactions, fileWatch, beforeCommit };
  const writes = createGroupCommit(database, settings);
  const commitAll = createCommitAll(database, { ...settings, connection });

  /** The reason why the store cannot do anything; null if it can. */
  const checkAvailable = (): StoreError | null => {
    if (!isOpen || database.open === false) return storeClosedError;
    return fileWatch.wasInPlace() ? schemaWatch.findError() : fileGoneError;
  };

  const ifAvailable = <A>(run: () => StoreOutcome<A>): StoreOutcome<A> => {
    const error = checkAvailable() ?? hostTransactions.refuseForgotten();
    return error === null ? hostTransactions.explainWait(run) : Promise.resolve(left(error));
  };

  const store = assembleStore(reads, {
    read: (work) => ifAvailable(() => groupReads.read(work)),
    readRecord: (ref) => ifAvailable(() => lookups.read(ref)),
    search: (query) => ifAvailable(() => searches.search(query)),
    commit: (commit) => ifAvailable(() => writes.commit(commit)),
    commitAll: (commits, hostWrites) => ifAvailable(() => commitAll(commits, hostWrites)),
    close: async () => {
      if (!isOpen) throw new ClinicalRecordsError(storeClosedError);
      isOpen = false;
      const searchesClosed = searches.close();
      lookups.flush();
      groupReads.flush();
      const writesClosed = writes.close();
      hostTransactions.wake();
      await Promise.all([searchesClosed, writesClosed]);
      try {
        await release();
      } catch (cause) {
        throw new ClinicalRecordsError(sqliteError(cause));
      }
    },
  });

  return makeJoinable(
    { ...store, begin: hostTransactions.refuseSynchronous, callContext: new AsyncLocalStorage() },
    {
      database,
      isInPlace: fileWatch.isInPlace,
      join: (checkTransaction) =>
        assembleStore(
          reads,
          createJoinedOperations(() => checkAvailable() ?? checkTransaction(), reads, { searches, writes }),
        ),
    },
  );
};

/**
 * Opens a store on SQLite with better-sqlite3, creates its tables in a new database, and migrates those of an older version.
 *
 * The reads of one turn of the event loop share a transaction at its end, except those of the first callback that
 * reads. The commits of one turn are written in one transaction, with those of the next turns if there are several, and return
 * once it is durable. On a host's `database` they are as durable as its `synchronous` pragma says. Reads and commits wait
 * while the host has a transaction open on it. Those of `records.in(tx)` are a part of the transaction, see `inTransaction`.
 *
 * Throws an Error if the options are incomplete, `database` is not a handle, or `prefix` is invalid. It also throws if
 * the file cannot be opened, its tables are from a newer version, `backupTo` exists, or tables must be created or migrated while the
 * host has a transaction open.
 *
 * @example
 * const store = openSqliteStore({ filename: 'clinic.db' });
 */
export const openSqliteStore = <Database extends SqliteHandle = SqliteDatabase>(
  options: SqliteStoreOptions<Database>,
): ClinicalStore<Database> => {
  const prefix = requirePrefix('openSqliteStore', options);
  const { transactionTimeout, database, fileWatch, start, beforeCommit, close } = openDatabase(options);
  try {
    const db = createQueryBuilder(prefix);
    openTables({ database, db, prefix }, { backupTo: options.backupTo });
    const store = createSqliteStore(database, db, {
      connection: 'database' in options ? options.database : database,
      fileWatch,
      transactionTimeout,
      beforeCommit,
      release: close,
    });
    start();
    return store as ClinicalStore<Database>;
  } catch (cause) {
    void close();
    throw cause;
  }
};
