import { realpathSync, statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type OwnedHandle, readPragma, type SqliteDriver } from './driver.ts';

/** Keeps commits from copying a long log to the file, which takes seconds. */
export type BackgroundCheckpoint = {
  /** Checks the length of the log. Call it before a commit, which would copy a long one. */
  readonly checkLog: () => void;
  readonly isRunning: () => boolean;
  /** Stops copying. */
  readonly close: () => Promise<unknown>;
};

type CheckpointSettings = {
  /** Opens the file in the thread, too. */
  readonly driver: SqliteDriver;
  /** After this number of pages, a commit copies the log. */
  readonly checkpointPages: number;
  /** The number of bytes from which the log is long. */
  readonly longBytes: number;
};

/** How many milliseconds the thread waits before it copies what was written since. */
const copyInterval = 1000;

/**
 * Copies the log on a handle of its own, repeatedly, until so little is left that a commit can copy it. Copying does
 * not block writers. A reader with an old snapshot keeps the rest from being copied. At the end it shortens the log, for
 * which it has the lock of the writer. A commit that begins the log again would otherwise do so.
 */
const checkpointScript = `
  const { module, filename, checkpointPages, copyInterval } = require('node:worker_threads').workerData;
  const Database = module === null ? require('node:sqlite').DatabaseSync : require(module);
  const database = new Database(filename);
  database.exec('PRAGMA synchronous = FULL');
  const copy = () => {
    // While another process copies the log, the numbers say nothing.
    const { busy, log, checkpointed } = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
    if (busy !== 0 || log - checkpointed >= checkpointPages) return setTimeout(copy, copyInterval);
    database.exec('PRAGMA busy_timeout = 100; PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
  };
  copy();
`;

/**
 * SQLite copies the log to the file in the commit that makes it long enough. It cannot while a reader has an old
 * snapshot, and the log grows. When that reader ends, the next commit would copy all of it. So would the first commit after a
 * VACUUM of another process. So once the log is long, commits do not copy it. A thread copies it beside them, until commits
 * can do it again.
 */
export const createBackgroundCheckpoint = (
  database: OwnedHandle,
  { driver, checkpointPages, longBytes }: CheckpointSettings,
): BackgroundCheckpoint => {
  const filename = realpathSync(database.name?.trim() ?? '');
  const pageSize = Number(readPragma(database, 'page_size'));
  let worker: Worker | null = null;
  let hasThreads = true;

  const logSize = () => {
    try {
      return statSync(`${filename}-wal`).size;
    } catch {
      return 0;
    }
  };

  /** The bytes that are to be copied. A log keeps its size when it is copied, and also has what is not committed yet. */
  const uncopiedBytes = (): number => {
    const pages = database.prepare('PRAGMA wal_checkpoint(NOOP)').get() as {
      readonly log: number;
      readonly checkpointed: number;
    };
    return (pages.log - pages.checkpointed) * pageSize;
  };

  const startWorker = (): void => {
    const workerData = { module: driver.module, filename, checkpointPages, copyInterval };
    // Without the flags of the process, because the thread does not need a module loader that they may name.
    worker = new Worker(checkpointScript, { eval: true, execArgv: [], workerData });
    worker.unref();
    // A failing disk is noticed by the next write.
    worker.on('error', () => {});
    worker.on('exit', () => {
      worker = null;
      if (database.open) database.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
    });
    database.exec('PRAGMA wal_autocheckpoint = 0');
  };

  return {
    checkLog: () => {
      if (worker !== null || !hasThreads || logSize() <= longBytes || uncopiedBytes() <= longBytes) return;
      try {
        startWorker();
      } catch {
        // If no thread can be started, commits continue to copy the log.
        hasThreads = false;
      }
    },
    isRunning: () => worker !== null,
    close: async () => worker?.terminate(),
  };
};
