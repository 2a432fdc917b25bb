import {
  createBroadSearchQueue,
  type SearchPage,
  type StoreError,
  storeClosedError,
} from '@clinical-records/core/store';
import { type Either, flatten, left } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase } from '../database.ts';
import { driverOf, readPragma } from '../driver.ts';
import type { GroupRead } from '../group-read.ts';
import type { QueryBuilder } from '../schema.ts';
import { createReadTransaction, createTermDictionary, type TermDictionary } from '../statement.ts';
import { attempt, sqliteError } from '../store-errors.ts';
import { type AnyQuery, createSearchRunner } from './search-runner.ts';

/**
 * Waits for a turn of the event loop. Only one waiter continues in each turn, so that other callbacks run in between.
 */
type NextTurn = () => Promise<void>;

export const createTurnQueue = (): NextTurn => {
  const waiting: (() => void)[] = [];
  const next = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(next);
    });
};

/** A handle that reads the database as it was when the handle was opened. */
type Snapshot = { readonly database: SqliteDatabase; readonly close: () => void };

/** The file of a handle; empty if there is none. */
const findFileName = (database: SqliteDatabase): string => {
  const row = database.prepare(`select file from pragma_database_list where name = 'main'`).get();
  return (row as { readonly file: string | null } | undefined)?.file ?? '';
};

/**
 * Opens the file of a handle again, read-only. Returns null if that is not safe beside the handle.
 *
 * The file is not memory-mapped, because unmapping a large file would take tens of milliseconds when the handle is
 * closed. A file without a log (WAL) could not be written while it is read. If the handle is from another library, the
 * process may have another copy of SQLite. Closing the file here would then release the locks of that copy.
 */
export const openSnapshot = (database: SqliteDatabase): Snapshot | null => {
  const driver = driverOf(database);
  if (driver === null) return null;
  const filename = findFileName(database);
  if (filename === '') return null;
  const handle = driver.open(filename, { readonly: true });
  try {
    if (readPragma(handle, 'journal_mode') === 'wal') {
      handle.exec('begin');
      return { database: handle, close: () => handle.close() };
    }
  } catch (cause) {
    handle.close();
    throw cause;
  }
  handle.close();
  return null;
};

type SearchResult = Either<StoreError, SearchPage>;

type BroadSearches = {
  /** Returns null if no other handle can be opened. */
  readonly search: (query: AnyQuery) => Promise<SearchResult | null>;
  /** Cancels the running searches, and resolves once all handles are closed. */
  readonly close: () => Promise<void>;
};

/**
 * Runs searches that look at many records piece by piece, with turns of the event loop in between.
 *
 * Each search has a read-only handle of its own, which shows one moment of the database until the end of the search.
 */
export const createBroadSearches = (database: SqliteDatabase, db: QueryBuilder): BroadSearches => {
  const nextTurn = createTurnQueue();
  const inQueue = createBroadSearchQueue();
  const running = new Set<Promise<unknown>>();
  let isOpen = true;

  const runOnHandle = async (handle: SqliteDatabase, query: AnyQuery): Promise<SearchResult> => {
    const run = createSearchRunner(handle, db, createTermDictionary(handle, db))(query);
    for (;;) {
      await nextTurn();
      if (!isOpen) return left(storeClosedError);
      const { done, value } = run.next();
      if (done) return value;
    }
  };

  const runOnSnapshot = async (query: AnyQuery): Promise<SearchResult | null> => {
    await nextTurn();
    if (!isOpen) return left(storeClosedError);
    const snapshot = attempt(() => openSnapshot(database));
    if (snapshot._tag === 'Left' || snapshot.right === null) return null;
    try {
      return await runOnHandle(snapshot.right.database, query);
    } catch (cause) {
      return left(sqliteError(cause));
    } finally {
      snapshot.right.close();
    }
  };

  return {
    search: (query) =>
      inQueue(async () => {
        const result = runOnSnapshot(query);
        running.add(result);
        try {
          return await result;
        } finally {
          running.delete(result);
        }
      }),
    close: async () => {
      isOpen = false;
      await Promise.all(running);
    },
  };
};

type Searcher = {
  readonly search: (query: AnyQuery) => Promise<Either<StoreError, SearchPage>>;
  /** Searches within a transaction of the host. */
  readonly searchSynchronously: (query: AnyQuery) => Either<StoreError, SearchPage>;
  readonly close: () => Promise<void>;
};

/** The time in milliseconds that a search may take within the turn of its request. */
const maxBriefTime = 3;

/** The most steps of a search that cannot be split, and so blocks all others. */
const maxSynchronousSteps = 50_000;

/**
 * Runs a search at once, with the other reads of the turn, if that takes no longer than they do. Otherwise it begins
 * again as a broad search. In a transaction of the host, which no other handle can see, and without another handle, it
 * runs in one go.
 */
export const createSearcher = (
  database: SqliteDatabase,
  db: QueryBuilder,
  { reads, terms }: { readonly reads: GroupRead; readonly terms: TermDictionary },
): Searcher => {
  const run = createSearchRunner(database, db, terms);
  const broad = createBroadSearches(database, db);

  const searchBriefly = createReadTransaction(
    database,
    (query: AnyQuery): Either<StoreError, SearchPage> | null => {
      const end = performance.now() + maxBriefTime;
      const search = run(query);
      // Always runs at least one piece, however slow the machine is.
      do {
        const { done, value } = search.next();
        if (done) return value;
        if (value === 'long') break;
      } while (performance.now() < end);
      return null;
    },
  );

  const runSynchronously = createReadTransaction(
    database,
    (query: AnyQuery): Either<StoreError, SearchPage> => {
      const { maxSteps } = query;
      const bounded =
        maxSteps === undefined ? query : { ...query, maxSteps: Math.min(maxSteps, maxSynchronousSteps) };
      for (const search = run(bounded); ; ) {
        const { done, value } = search.next();
        if (done) return value;
      }
    },
  );

  return {
    search: async (query) => {
      const briefResult = await reads.read(() => searchBriefly(query));
      if (briefResult._tag === 'Left') return briefResult;
      const result = briefResult.right ?? (await broad.search(query));
      if (result !== null) return result;
      return flatten(await reads.read(() => runSynchronously(query)));
    },
    searchSynchronously: (query) => flatten(attempt(() => runSynchronously(query))),
    close: broad.close,
  };
};
