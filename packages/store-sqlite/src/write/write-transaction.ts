import type { SqliteDatabase } from '../database.ts';

/** COMMIT failed, and SQLite ended the transaction: nobody knows whether a crash would bring it back. */
export class InDoubtError extends Error {}

/** Runs work in a write transaction. Where it throws anything but `InDoubtError`, nothing of it is written, nor will be. */
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
 * To be run in a transaction after a COMMIT that failed. SQLite has undone that, but its last bytes may be in the log, whose
 * sync failed: after a crash they would be taken up. The next transaction is written in their place, and they are gone once it
 * is durable. To write a value as it stands is enough for that.
 */
export const overwriteLogTail = (database: SqliteDatabase): void => {
  const { user_version } = database.prepare('PRAGMA user_version').get() as { user_version: number | bigint };
  database.prepare(`PRAGMA user_version = ${user_version}`).run();
};
