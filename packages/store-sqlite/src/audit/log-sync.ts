import { close, fdatasync, openSync, realpathSync } from 'node:fs';
import { promisify } from 'node:util';
import type { SqliteDatabase } from '../database.ts';

/** How commits become durable. */
export type LogSync = {
  /** Does work that commits. */
  readonly commit: (work: () => void) => void;
  /** Resolves once everything that was committed is durable. */
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** For a database that is as durable as its own settings say. */
export const syncAtCommit: LogSync = {
  commit: (work) => work(),
  sync: async () => {},
  close: async () => {},
};

/**
 * Syncs the log (`-wal`) of a file in a thread of Node, so that other requests go on meanwhile. SQLite would block all of them.
 * With `synchronous=NORMAL`, SQLite does not sync the log at a commit, but before it copies the log to the file.
 */
export const createLogSync = (database: SqliteDatabase): LogSync => {
  if (database.memory || database.name === undefined) return syncAtCommit;
  // A handle that could not write could not sync on each system.
  const file = openSync(`${realpathSync(database.name.trim())}-wal`, 'r+');
  const syncLog = promisify(fdatasync);
  const withoutSync = database.prepare('PRAGMA synchronous = NORMAL');
  const withSync = database.prepare('PRAGMA synchronous = FULL');
  return {
    commit: (work) => {
      withoutSync.run();
      try {
        work();
      } finally {
        withSync.run();
      }
    },
    sync: () => syncLog(file),
    close: () => promisify(close)(file),
  };
};
