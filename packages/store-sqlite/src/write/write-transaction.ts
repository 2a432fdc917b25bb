import { isOwnHandle, readBusyTimeout, type SqliteDatabase } from '../database.ts';

/** COMMIT failed and SQLite ended the transaction. A crash might restore it. */
export class InDoubtError extends Error {}

/**
 * Returns a function that begins a transaction that may write. It throws at once if another process writes, also on a
 * handle of the host, whose own statements keep the timeout of the handle.
 */
export const createBegin = (database: SqliteDatabase): (() => void) => {
  const begin = database.prepare('BEGIN IMMEDIATE');
  if (isOwnHandle(database)) return () => void begin.run();
  // SQLite sets the timeout while it compiles the statement.
  const setTimeout = (milliseconds: number) =>
    database.prepare(`PRAGMA busy_timeout = ${milliseconds}`).get();
  return () => {
    const timeout = readBusyTimeout(database);
    setTimeout(0);
    try {
      begin.run();
    } finally {
      setTimeout(timeout);
    }
  };
};

/** Runs work in a write transaction. If it throws anything but `InDoubtError`, none of it is or will be written. */
export const createWriteTransaction = (database: SqliteDatabase): (<A>(work: () => A) => A) => {
  const begin = createBegin(database);
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  return (work) => {
    begin();
    try {
      const result = work();
      try {
        commit.run();
      } catch (cause) {
        if (!database.inTransaction) throw new InDoubtError('COMMIT failed.', { cause });
        throw cause;
      }
      return result;
    } catch (cause) {
      if (database.inTransaction) rollback.run();
      throw cause;
    }
  };
};

/**
 * Must run in a transaction after a COMMIT that failed. SQLite has rolled that back, but its last bytes may be in the
 * log, whose sync failed. After a crash, SQLite would read them. The next transaction overwrites them, and once it is
 * durable they are gone. Writing an unchanged value is enough.
 */
export const overwriteLogTail = (database: SqliteDatabase): void => {
  const { user_version } = database.prepare('PRAGMA user_version').get() as { user_version: number | bigint };
  database.prepare(`PRAGMA user_version = ${user_version}`).run();
};
