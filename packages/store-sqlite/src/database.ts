import Database from 'better-sqlite3';
import { createBackgroundCheckpoint } from './background-checkpoint.ts';
import { createFileWatch, type FileWatch } from './file-watch.ts';

/** As much of better-sqlite3's `Statement` as a store uses. Methods, so that its own, which take declared types, fit. */
export type SqliteStatement = {
  /** Whether integers are answered as BigInt from now on, whatever the handle does. */
  safeIntegers(isBigInt: boolean): unknown;
  /** The first row, or undefined. */
  get(...parameters: unknown[]): unknown;
  /** Every row. */
  all(...parameters: unknown[]): unknown[];
  /** The rows, one by one; the statement is let go of where the loop is left. */
  iterate(...parameters: unknown[]): Iterable<unknown>;
  /** Runs what answers no rows. */
  run(...parameters: unknown[]): {
    readonly changes: number;
    readonly lastInsertRowid: number | bigint;
  };
};

/** As much of better-sqlite3's `Database` as a store uses: any of its handles will do. */
export type SqliteDatabase = {
  readonly inTransaction: boolean;
  /** The name of its file, and whether there is none. */
  readonly name?: string;
  readonly memory?: boolean;
  /** Compiles a statement. */
  readonly prepare: (sql: string) => SqliteStatement;
  /** A function that does the work in a transaction. */
  readonly transaction: <A, B>(
    work: (argument: A) => B,
  ) => ((argument: A) => B) & {
    /** The same, in a transaction that may write from its beginning. */
    readonly immediate: (argument: A) => B;
  };
};

/** The database of a store. */
export type OpenDatabase = {
  readonly database: SqliteDatabase;
  readonly fileWatch: FileWatch;
  /** Is called once the file is known to be a store's, before anything is asked of it. */
  readonly start: () => void;
  /** Is called when something was committed. */
  readonly onCommit: () => void;
  readonly close: () => Promise<void>;
};

/**
 * As small as SQLite's own default; better-sqlite3's is 16 MB. Keeping more costs more than it saves: SQLite looks at
 * every page that it keeps when a commit has put pages in order.
 */
const pageCacheKiB = 2 * 1024;

/** How many bytes of the file, from its beginning, are read where the operating system has them, without being copied. */
const mappedBytes = 32 * 1024 * 1024;

/**
 * After how many pages the log is copied to the file: 16 MiB, four times SQLite's own measure, so that pages which many
 * commits write are copied once.
 */
const checkpointPages = 4000;

/** From how many bytes on the log is not copied by a commit any more, but beside: it takes a few hundred milliseconds. */
const longLogBytes = 64 * 1024 * 1024;

/** SQLite waits for others, but not where two put a new file into WAL mode at once: whoever is refused tries again. */
const retryWhileBusy = <A>(milliseconds: number, work: () => A): A => {
  const end = performance.now() + milliseconds;
  for (;;) {
    try {
      return work();
    } catch (cause) {
      const isBusy = cause instanceof Database.SqliteError && cause.code === 'SQLITE_BUSY';
      if (!isBusy || performance.now() > end) throw cause;
    }
  }
};

/** Opens a file so that what was committed is durable (`synchronous=FULL`). Throws where it cannot be opened. */
export const openDatabaseFile = (filename: string, busyTimeout: number): OpenDatabase => {
  // SQLite takes it for a temporary database, which is gone when it is closed.
  if (typeof filename !== 'string' || filename.trim() === '') {
    throw new Error('The store has no filename, and would keep nothing.');
  }
  const database = new Database(filename, { timeout: busyTimeout });
  try {
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    database.pragma(`cache_size = -${pageCacheKiB}`);
    database.pragma(`mmap_size = ${mappedBytes}`);
    database.pragma(`wal_autocheckpoint = ${checkpointPages}`);
    // A log that was long gives its room back when it begins anew.
    database.pragma(`journal_size_limit = ${longLogBytes / 4}`);
  } catch (cause) {
    database.close();
    throw cause;
  }
  const fileWatch = createFileWatch(database, '-wal');
  const checkpoint = database.memory
    ? null
    : createBackgroundCheckpoint(database, { checkpointPages, longBytes: longLogBytes });
  return {
    database,
    fileWatch,
    onCommit: () => checkpoint?.checkLog(),
    start: () => {
      // Lets readers go on beside a writer. The file stays so for good.
      retryWhileBusy(busyTimeout, () => database.pragma('journal_mode = WAL'));
      // Whether there can be a log shows when something is read.
      database.pragma('schema_version');
      fileWatch.start();
    },
    close: async () => {
      if (checkpoint?.isRunning()) await checkpoint.close();
      database.close();
    },
  };
};

/** A handle of the host, which stays as it is. */
export const wrapHostDatabase = (database: SqliteDatabase): OpenDatabase => {
  // Whether there is a log beside the file is the host's to change.
  const fileWatch = createFileWatch(database);
  return { database, fileWatch, start: fileWatch.start, onCommit: () => {}, close: async () => {} };
};
