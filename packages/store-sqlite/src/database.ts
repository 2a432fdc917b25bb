import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  checkOptionNames,
  type OptionNames,
  requireNode,
  requireNumbers,
} from '@clinical-records/core/store';
import { createBackgroundCheckpoint } from './background-checkpoint.ts';
import { chooseDriver, type DriverName, type OwnedHandle, readPragma, toSqliteDatabase } from './driver.ts';
import type { NodeSqliteDatabase } from './node-sqlite.ts';

/** Checks whether the open files of a process are still the files under their names. */
export type FileWatch = {
  /** Remembers the files. Before that, any files count as the same. */
  readonly start: () => void;
  /** Whether the files are the same now. Once they are not, the result stays false. */
  readonly isInPlace: () => boolean;
  /** The same, but at most one second old. */
  readonly wasInPlace: () => boolean;
};

const checkInterval = 1000;

/** The file under a name; undefined if there is none or it cannot be read. */
const stat = (name: string) => {
  try {
    return statSync(name, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};

type FileIdentity = { readonly name: string; readonly file: ReturnType<typeof stat> };

/**
 * Watches the file of a handle, and files with its name and other endings. It does not watch anything for a database
 * that is not in a file or that is named by a URI.
 */
const createFileWatch = (
  { name = '', memory = true }: { readonly name?: string; readonly memory?: boolean },
  ...endings: readonly string[]
): FileWatch => {
  const path = resolve(name.trim());
  let identities: readonly FileIdentity[] = [];
  let isInPlace = true;
  let checkedAt = performance.now();

  const start = (): void => {
    if (memory || name.startsWith('file:') || stat(path) === undefined) return;
    // SQLite puts other files beside the file itself, and not beside a link to it.
    const names = [path, ...endings.map((ending) => realpathSync(path) + ending)];
    identities = names.map((name) => ({ name, file: stat(name) }));
  };

  const check = (): boolean => {
    checkedAt = performance.now();
    isInPlace &&= identities.every((before) => {
      const now = stat(before.name);
      return now?.ino === before.file?.ino && now?.dev === before.file?.dev;
    });
    return isInPlace;
  };

  return {
    start,
    isInPlace: check,
    wasInPlace: () => (performance.now() - checkedAt > checkInterval ? check() : isInPlace),
  };
};

/** The part of better-sqlite3's `Statement` that a store uses. Its methods accept parameters of any declared types. */
export type SqliteStatement = {
  /** Sets whether integers are returned as BigInt from now on, whatever the handle's default is. */
  safeIntegers(isBigInt: boolean): unknown;
  /** The first row, or undefined. */
  get(...parameters: unknown[]): unknown;
  /** Every row. */
  all(...parameters: unknown[]): unknown[];
  /** The rows one by one. The statement is released when the loop ends. */
  iterate(...parameters: unknown[]): Iterable<unknown>;
  /** Runs a statement that does not return rows. */
  run(...parameters: unknown[]): {
    /** The number of rows that were inserted, updated or deleted. */
    readonly changes: number;
    readonly lastInsertRowid: number | bigint;
  };
};

/** The part of better-sqlite3's `Database` that a store uses. Any handle of better-sqlite3 fits. */
export type SqliteDatabase = {
  /** Whether the handle is open. A driver may lack it. */
  readonly open?: boolean;
  /** Whether a transaction is open on the handle. */
  readonly inTransaction: boolean;
  readonly name?: string;
  /** Whether there is no file. */
  readonly memory?: boolean;
  /** Whether the handle only reads. */
  readonly readonly?: boolean;
  /** Adds a function to SQL. A driver may lack it. */
  readonly function?: (name: string, run: () => string) => unknown;
  /** Compiles a statement. */
  readonly prepare: (sql: string) => SqliteStatement;
  /** Returns a function that does the work in a transaction. */
  readonly transaction: <A, B>(
    work: (argument: A) => B,
  ) => ((argument: A) => B) & {
    /** The same, in a transaction that may write from its beginning. */
    readonly immediate: (argument: A) => B;
  };
};

/** A handle that a host can have open. */
export type SqliteHandle = SqliteDatabase | NodeSqliteDatabase;

type OpenDatabase = {
  readonly database: SqliteDatabase;
  readonly fileWatch: FileWatch;
  /** Is called when the file is known to be a store's and has its tables, before it is first used. */
  readonly start: () => void;
  readonly beforeCommit: () => void;
  readonly close: () => Promise<void>;
};

/** The handles that stores have opened. Those of hosts keep their settings. */
const ownHandles = new WeakMap<
  SqliteDatabase,
  { readonly busyTimeout: number; readonly beforeCommit: () => void }
>();

export const isOwnHandle = (database: SqliteDatabase): boolean => ownHandles.has(database);

/** How many milliseconds SQLite itself waits on a handle for a lock. Nothing else in the process runs until then. */
export const readBusyTimeout = (database: SqliteDatabase): number => {
  const { timeout } = database.prepare('PRAGMA busy_timeout').get() as { readonly timeout: number | bigint };
  return Number(timeout);
};

/** How many milliseconds work on a handle waits for a lock that another process holds. */
export const lockTimeoutOf = (database: SqliteDatabase): number =>
  ownHandles.get(database)?.busyTimeout ?? readBusyTimeout(database);

/**
 * Without the -shm, other processes would write to the same log at the same time. On a handle of the host, the host
 * decides whether there is a log.
 */
const watchFiles = (database: SqliteDatabase): FileWatch =>
  isOwnHandle(database) ? createFileWatch(database, '-wal', '-shm') : createFileWatch(database);

/**
 * The size of the pages of a new file. Two records of about 2 kB each do not fit into a page of SQLite's default, 4 KiB, so
 * that nearly half of it would be unused.
 */
const pageBytes = 8 * 1024;

/**
 * As small as SQLite's own default; better-sqlite3's is 16 MB. A larger cache costs more than it saves: SQLite checks
 * every cached page when a commit has reordered pages.
 */
const pageCacheKiB = 2 * 1024;

/**
 * After this many bytes the log is copied to the file. They are four times SQLite's default, so that pages that many
 * commits write are copied once.
 */
const checkpointBytes = 16 * 1024 * 1024;

/**
 * From this many bytes on, a thread copies the log instead of a commit, which would take a few hundred milliseconds.
 */
const longLogBytes = 64 * 1024 * 1024;

/**
 * SQLite waits for other processes, but not when two put a new file into WAL mode at once. The refused one tries again.
 */
const retryWhileBusy = <A>(milliseconds: number, work: () => A): A => {
  const end = performance.now() + milliseconds;
  for (;;) {
    try {
      return work();
    } catch (cause) {
      const isBusy = cause instanceof Error && 'code' in cause && cause.code === 'SQLITE_BUSY';
      if (!isBusy || performance.now() > end) throw cause;
    }
  }
};

/** Sets everything but the journal mode. Returns after how many pages the log is copied. */
const applySettings = (database: OwnedHandle): number => {
  // Has no effect on a file with content.
  database.exec(`PRAGMA page_size = ${pageBytes}`);
  const checkpointPages = checkpointBytes / Number(readPragma(database, 'page_size'));
  // For each page of a mapped file that is not in memory, the system would read megabytes ahead. A log that was long
  // shrinks when it starts again.
  database.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA cache_size = -${pageCacheKiB};
    PRAGMA mmap_size = 0;
    PRAGMA wal_autocheckpoint = ${checkpointPages};
    PRAGMA journal_size_limit = ${longLogBytes / 4};
  `);
  return checkpointPages;
};

/** Opens a file so that every commit is durable (`synchronous=FULL`). Throws if it cannot be opened. */
export const openDatabaseFile = (
  filename: string,
  { busyTimeout, driver: driverName }: { readonly busyTimeout: number; readonly driver?: DriverName },
): OpenDatabase => {
  // SQLite would open a temporary database, which is lost when it is closed.
  if (typeof filename !== 'string' || filename.trim() === '') {
    throw new Error('filename must not be empty: the store would keep nothing.');
  }
  // On an older Node, better-sqlite3 ends the process with a segmentation fault.
  requireNode();
  const driver = chooseDriver(driverName);
  const database = driver.open(filename, { timeout: busyTimeout });
  let checkpointPages: number;
  try {
    checkpointPages = applySettings(database);
  } catch (cause) {
    database.close();
    throw cause;
  }
  const checkpoint = database.memory
    ? null
    : createBackgroundCheckpoint(database, { driver, checkpointPages, longBytes: longLogBytes });
  const beforeCommit = () => checkpoint?.checkLog();
  ownHandles.set(database, { busyTimeout, beforeCommit });
  const fileWatch = watchFiles(database);
  return {
    database,
    fileWatch,
    beforeCommit,
    start: () => {
      // Lets readers continue while another connection writes. The file stays in this mode.
      retryWhileBusy(busyTimeout, () => database.exec('PRAGMA journal_mode = WAL'));
      // A read shows whether the file can have a log.
      readPragma(database, 'schema_version');
      fileWatch.start();
      // From now on other requests are waiting, too: see `waitForLock`.
      database.exec('PRAGMA busy_timeout = 0');
    },
    close: async () => {
      if (checkpoint?.isRunning()) await checkpoint.close();
      database.close();
    },
  };
};

/** Wraps an open handle, without changing its settings. */
const wrapDatabase = (handle: SqliteHandle): OpenDatabase => {
  const database = toSqliteDatabase(handle);
  const fileWatch = watchFiles(database);
  const { beforeCommit = () => {} } = ownHandles.get(database) ?? {};
  return { database, fileWatch, start: fileWatch.start, beforeCommit, close: async () => {} };
};

/** Where the records are kept: in a file of the store's own, or in a database of the host. */
export type SqliteStoreOptions<Database extends SqliteHandle = SqliteHandle> = (
  | {
      /** The file, which is created if it does not exist. `:memory:` keeps the records in memory. */
      readonly filename: string;
      /** The library that opens the file. Default: better-sqlite3 if it is installed, otherwise SQLite of Node. */
      readonly driver?: DriverName;
    }
  | {
      /**
       * A `Database` of better-sqlite3 or a `DatabaseSync` of `node:sqlite`, which the host has opened. Its pragmas do not
       * change, and `close` leaves it open.
       */
      readonly database: Database;
      /** How many milliseconds to wait for an open transaction on the handle. Default: 5000. */
      readonly transactionTimeout?: number;
    }
) & {
  /** The prefix of all names of tables and indexes: a letter or `_`, then letters, digits and `_`. */
  readonly prefix?: string;
  /**
   * How many milliseconds a write waits while another process writes to the file. Default: 5000. On a host's handle, its
   * own `timeout` counts. Nothing else waits with it.
   */
  readonly busyTimeout?: number;
  /**
   * A file to which the database is copied, by `VACUUM INTO`, before tables of an older version are migrated. It must not exist.
   * An audit log has no migrations, and needs no copy.
   */
  readonly backupTo?: string;
};

const optionNames: OptionNames<SqliteStoreOptions> = {
  filename: true,
  driver: true,
  database: true,
  prefix: true,
  busyTimeout: true,
  transactionTimeout: true,
  backupTo: true,
};

/** Plain JavaScript may pass a filename, or the handle of another driver. */
const checkOptions = (caller: string, options: SqliteStoreOptions): void => {
  const value: unknown = options;
  if (typeof value !== 'object' || value === null) {
    throw new TypeError(`${caller} needs options, such as { filename: 'clinic.db' }.`);
  }
  checkOptionNames(caller, options, optionNames);
  const { busyTimeout = 0, backupTo } = options;
  requireNumbers({ busyTimeout }, 0);
  if (backupTo !== undefined && (typeof backupTo !== 'string' || backupTo.trim() === ''))
    throw new TypeError('backupTo must be the name of a file that does not exist.');
  if (!('database' in options)) return;
  const { transactionTimeout = 0 } = options;
  requireNumbers({ transactionTimeout }, 0);
  const { database } = value as {
    readonly database: Partial<SqliteDatabase & NodeSqliteDatabase> | null | undefined;
  };
  const isHandle = typeof database?.transaction === 'function' || typeof database?.location === 'function';
  if (typeof database?.prepare !== 'function' || !isHandle) {
    throw new TypeError(
      'database must be an open Database of better-sqlite3, or a DatabaseSync of node:sqlite.',
    );
  }
};

/** Returns the prefix of the names of tables. Throws if it is not valid, or if the options are incomplete. */
export const requirePrefix = (caller: string, options: SqliteStoreOptions): string => {
  checkOptions(caller, options);
  const { prefix = '' } = options;
  if (/^([A-Za-z_][A-Za-z0-9_]*)?$/.test(prefix)) return prefix;
  throw new Error('prefix must begin with a letter or _, and have only letters, digits and _.');
};

/** Opens the file, or wraps the open handle. */
export const openDatabase = (
  options: SqliteStoreOptions,
): OpenDatabase & { readonly transactionTimeout: number } => {
  if ('database' in options) {
    const { database, transactionTimeout = 5000 } = options;
    return { ...wrapDatabase(database), transactionTimeout };
  }
  const { filename, busyTimeout = 5000, driver } = options;
  return {
    ...openDatabaseFile(filename, { busyTimeout, ...(driver && { driver }) }),
    transactionTimeout: 5000,
  };
};
