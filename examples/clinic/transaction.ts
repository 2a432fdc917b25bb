import { setImmediate } from 'node:timers/promises';
import type { Connection } from './clinic.ts';

export type InTransaction = <A>(work: (connection: Connection) => Promise<A>) => Promise<A>;

/**
 * Runs work in one transaction of what the host writes and what the charts do: both land, or neither if it rejects.
 *
 * - It has a connection of its own. On one that requests share, whatever they write in the meantime would join the
 *   transaction, and be undone with it after it was answered.
 * - One work runs at a time, for the same reason.
 * - In it, await `records` and nothing else. Any other write waits for this one, and in better-sqlite3 waiting stops
 *   the event loop: what has to be fetched is fetched before, and so is whoever an asynchronous `resolve` would fetch.
 */
export const transactionsOn = (connection: Connection): InTransaction => {
  const { database } = connection;
  let last: Promise<unknown> = Promise.resolve();

  const run: InTransaction = async (work) => {
    // In a turn of its own, so that nobody who is about to write finds the transaction open.
    await setImmediate();
    database.exec('BEGIN IMMEDIATE');
    try {
      const done = await work(connection);
      database.exec('COMMIT');
      return done;
    } catch (cause) {
      if (database.inTransaction) database.exec('ROLLBACK');
      throw cause;
    }
  };

  return (work) => {
    const done = last.then(() => run(work));
    last = done.catch(() => {});
    return done;
  };
};
