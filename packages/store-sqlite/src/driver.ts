import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';
import type { SqliteDatabase } from './database.ts';
import {
  isNodeSqliteHandle,
  type NodeSqliteDatabase,
  openNodeSqlite,
  wrapNodeSqlite,
} from './node-sqlite.ts';

/** A handle that a store opens itself. */
export type OwnedHandle = SqliteDatabase & {
  readonly open: boolean;
  readonly exec: (sql: string) => unknown;
  readonly close: () => unknown;
};

/** The library that opens files: better-sqlite3, or SQLite of Node. */
export type SqliteDriver = {
  /** Opens a file. Only a handle that writes creates it. `timeout` is in milliseconds: how long SQLite waits for a lock. */
  readonly open: (
    filename: string,
    options: { readonly timeout?: number; readonly readonly?: boolean },
  ) => OwnedHandle;
  /** The module with which a thread opens the same copy of SQLite; null for `node:sqlite`. */
  readonly module: string | null;
};

export const readPragma = (database: SqliteDatabase, name: string): number | string => {
  const row = database.prepare(`select * from pragma_${name}`).get() as Readonly<
    Record<string, number | string | bigint>
  >;
  const [value = ''] = Object.values(row);
  return typeof value === 'bigint' ? Number(value) : value;
};

const require = createRequire(import.meta.url);

const nodeSqlite: SqliteDriver = { open: openNodeSqlite, module: null };

/** The module of better-sqlite3; null if it is not installed. */
const findBetterSqlite3 = (): { readonly module: string; readonly Database: typeof BetterSqlite3 } | null => {
  try {
    const module = require.resolve('better-sqlite3');
    return { module, Database: require(module) };
  } catch {
    return null;
  }
};

let betterSqlite3: ReturnType<typeof findBetterSqlite3> | undefined;

/** better-sqlite3, which is loaded once; null if it is not installed. */
const getBetterSqlite3 = () => {
  betterSqlite3 ??= findBetterSqlite3();
  return betterSqlite3;
};

export type DriverName = 'better-sqlite3' | 'node:sqlite';

/** The driver that opens a store's file: better-sqlite3 if it is installed, otherwise SQLite of Node. Throws if it is missing. */
export const chooseDriver = (name?: DriverName): SqliteDriver => {
  if (name !== undefined && name !== 'better-sqlite3' && name !== 'node:sqlite') {
    throw new TypeError('driver must be better-sqlite3 or node:sqlite.');
  }
  const installed = name === 'node:sqlite' ? null : getBetterSqlite3();
  if (installed !== null) {
    const { module, Database } = installed;
    const open: SqliteDriver['open'] = (filename, { readonly = false, timeout = 0 }) =>
      new Database(filename, { readonly, fileMustExist: readonly, timeout });
    return { open, module };
  }
  if (name === 'better-sqlite3')
    throw new Error('better-sqlite3 is not installed: npm install better-sqlite3@13.');
  return nodeSqlite;
};

/**
 * The driver that can open the file of a handle again; null if none can. Two copies of SQLite in one process must not: one
 * that closes the file releases the locks of the other.
 */
export const driverOf = (database: SqliteDatabase): SqliteDriver | null => {
  if (isNodeSqliteHandle(database)) return nodeSqlite;
  const installed = getBetterSqlite3();
  return installed !== null && database instanceof installed.Database ? chooseDriver('better-sqlite3') : null;
};

/** The handle of a host as a store uses it. */
export const toSqliteDatabase = (database: SqliteDatabase | NodeSqliteDatabase): SqliteDatabase =>
  'isTransaction' in database ? wrapNodeSqlite(database) : database;
