import type { SqliteDatabase, SqliteStatement } from './database.ts';
import type { OwnedHandle, SqliteDriver } from './driver.ts';

/** The part of a statement of `node:sqlite` that a store uses. */
export type NodeSqliteStatement = Omit<SqliteStatement, 'safeIntegers' | 'run'> & {
  /** Sets whether integers are returned as BigInt. */
  setReadBigInts(isBigInt: boolean): unknown;
  /** Runs a statement that does not return rows. */
  run(...parameters: unknown[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
};

/** The part of `DatabaseSync` of `node:sqlite` that a store uses. Any of its handles fits. */
export type NodeSqliteDatabase = {
  readonly isOpen: boolean;
  /** Whether a transaction is open on the handle. */
  readonly isTransaction: boolean;
  /** The file; null if there is none. */
  location(): string | null;
  /** Compiles a statement, which can run repeatedly. */
  prepare(sql: string): NodeSqliteStatement;
  /** Adds a function to SQL. */
  function(name: string, run: () => string): void;
  /** Runs statements without results. */
  exec(sql: string): void;
  /** Closes the handle. Its statements cannot run any more. */
  close(): void;
};

/** The names of SQLite's result codes, as better-sqlite3 says them. Source: sqlite.org/rescode.html. */
const codes = new Map([
  [5, 'SQLITE_BUSY'],
  [6, 'SQLITE_LOCKED'],
  [7, 'SQLITE_NOMEM'],
  [8, 'SQLITE_READONLY'],
  [10, 'SQLITE_IOERR'],
  [11, 'SQLITE_CORRUPT'],
  [13, 'SQLITE_FULL'],
  [14, 'SQLITE_CANTOPEN'],
  [17, 'SQLITE_SCHEMA'],
  [19, 'SQLITE_CONSTRAINT'],
  [26, 'SQLITE_NOTADB'],
]);

/** Does work on a handle. An error of SQLite has the name of its code. */
const withCode = <A>(work: () => A): A => {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof Error && 'errcode' in cause)) throw cause;
    // The lowest byte is the code, and the others its details.
    const code = codes.get(Number(cause.errcode) & 0xff) ?? 'SQLITE_ERROR';
    throw Object.assign(new Error(cause.message, { cause }), { code });
  }
};

/** A row as an ordinary object. Those of Node have no prototype, so they equal none that a program writes. */
const toRow = (row: unknown): unknown => row && { ...row };

const wrapStatement = (statement: NodeSqliteStatement): SqliteStatement => ({
  safeIntegers: (isBigInt) => statement.setReadBigInts(isBigInt),
  get: (...parameters) => toRow(withCode(() => statement.get(...parameters))),
  all: (...parameters) => withCode(() => statement.all(...parameters)).map(toRow),
  *iterate(...parameters) {
    const rows = withCode(() => statement.iterate(...parameters))[Symbol.iterator]();
    try {
      for (;;) {
        const { done, value } = withCode(() => rows.next());
        if (done) return;
        yield toRow(value);
      }
    } finally {
      rows.return?.();
    }
  },
  run: (...parameters) => {
    const { changes, lastInsertRowid } = withCode(() => statement.run(...parameters));
    return { changes: Number(changes), lastInsertRowid };
  },
});

const savepoint = 'clinical_records_nested';

/** Creates the function that does work in a transaction, or within an open one in a savepoint. */
const createTransaction =
  (database: NodeSqliteDatabase): SqliteDatabase['transaction'] =>
  (work) => {
    const inTransaction = (begin: string) => (argument: Parameters<typeof work>[0]) => {
      const run = (sql: string) => withCode(() => database.exec(sql));
      const isNested = database.isTransaction;
      run(isNested ? `SAVEPOINT ${savepoint}` : begin);
      try {
        const result = work(argument);
        run(isNested ? `RELEASE ${savepoint}` : 'COMMIT');
        return result;
      } catch (cause) {
        // SQLite has rolled back by itself after some errors.
        if (database.isTransaction) {
          run(isNested ? `ROLLBACK TO ${savepoint}; RELEASE ${savepoint}` : 'ROLLBACK');
        }
        throw cause;
      }
    };
    return Object.assign(inTransaction('BEGIN'), { immediate: inTransaction('BEGIN IMMEDIATE') });
  };

const wrapped = new WeakMap<NodeSqliteDatabase, OwnedHandle>();
const handles = new WeakSet<SqliteDatabase>();

export const isNodeSqliteHandle = (database: SqliteDatabase): boolean => handles.has(database);

const createHandle = (database: NodeSqliteDatabase): OwnedHandle => {
  const name = database.location();
  return {
    get open() {
      return database.isOpen;
    },
    get inTransaction() {
      return database.isOpen && database.isTransaction;
    },
    memory: name === null,
    ...(name !== null && { name }),
    prepare: (sql) => withCode(() => wrapStatement(database.prepare(sql))),
    function: (name, run) => database.function(name, run),
    transaction: createTransaction(database),
    exec: (sql) => withCode(() => database.exec(sql)),
    close: () => database.close(),
  };
};

/** A handle of `node:sqlite` with the functions of better-sqlite3's. The same handle always gives the same result. */
export const wrapNodeSqlite = (database: NodeSqliteDatabase): OwnedHandle => {
  const handle = wrapped.get(database) ?? createHandle(database);
  wrapped.set(database, handle);
  handles.add(handle);
  return handle;
};

/** Opens a file with the SQLite of Node. A handle that only reads does not create the file. */
export const openNodeSqlite: SqliteDriver['open'] = (filename, { timeout = 0, readonly = false }) => {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  return wrapNodeSqlite(withCode(() => new DatabaseSync(filename, { timeout, readOnly: readonly })));
};
