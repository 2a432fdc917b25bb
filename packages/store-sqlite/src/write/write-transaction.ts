import type { SqliteDatabase } from '../database.ts';

/** COMMIT failed and SQLite ended the transaction. A crash might restore it. */
export class InDoubtError extends Error {}

/** Runs work in a write transaction. If it throws anything but `InDoubtError`, none of it is or will be written. */
export const createWriteTransaction = (database: SqliteDatabase): (<A>(work: () => A) => A) => {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  return (work) => {
    begin.run();
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
