import { realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';

/** Keeps commits from copying a long log to the file, which takes seconds. */
export type BackgroundCheckpoint = {
  /** Checks the length of the log, at most once a second. Call it after a commit. */
  readonly checkLog: () => void;
  readonly isRunning: () => boolean;
  /** Stops copying. */
  readonly close: () => Promise<unknown>;
};

type CheckpointSettings = {
  /** After this number of pages, a commit copies the log. */
  readonly checkpointPages: number;
  /** The number of bytes from which the log is long. */
  readonly longBytes: number;
};

const checkInterval = 1000;

/**
 * Copies the log on a handle of its own, repeatedly, until so little is left that a commit can copy it. Copying does
 * not block writers. A reader with an old snapshot keeps the rest from being copied.
 */
const checkpointScript = `
  const { sqlite, filename, checkpointPages, pause } = require('node:worker_threads').workerData;
  const Database = require(sqlite);
  const database = new Database(filename, { fileMustExist: true });
  database.pragma('synchronous = FULL');
  const copy = () => {
    // While another process copies the log, the numbers say nothing.
    const [{ busy, log, checkpointed }] = database.pragma('wal_checkpoint(PASSIVE)');
    if (busy === 0 && log - checkpointed < checkpointPages) database.close();
    else setTimeout(copy, pause);
  };
  copy();
`;

/**
 * SQLite copies the log to the file in the commit that makes it long enough. It cannot while a reader has an old
 * snapshot, and the log grows. When that reader ends, the next commit would copy all of it. So once the log is long,
 * commits do not copy it. A thread copies it beside them, until commits can do it again.
 */
export const createBackgroundCheckpoint = (
  database: Database,
  { checkpointPages, longBytes }: CheckpointSettings,
): BackgroundCheckpoint => {
  const filename = realpathSync(database.name.trim());
  let checkedAt = performance.now();
  /** A copied log keeps its size until no reader needs it. So it is checked again when it has grown. */
  let nextThreshold = longBytes;
  let worker: Worker | null = null;

  const logSize = () => {
    try {
      return statSync(`${filename}-wal`).size;
    } catch {
      return 0;
    }
  };

  const startWorker = (): void => {
    const sqlite = createRequire(import.meta.url).resolve('better-sqlite3');
    const workerData = { sqlite, filename, checkpointPages, pause: checkInterval };
    // Without the flags of the process, because the thread does not need a module loader that they may name.
    worker = new Worker(checkpointScript, { eval: true, execArgv: [], workerData });
    worker.unref();
    // A failing disk is noticed by the next write.
    worker.on('error', () => {});
    worker.on('exit', () => {
      worker = null;
      nextThreshold = logSize() + longBytes;
      if (database.open) database.pragma(`wal_autocheckpoint = ${checkpointPages}`);
    });
    database.pragma('wal_autocheckpoint = 0');
  };

  return {
    checkLog: () => {
      if (worker !== null || performance.now() - checkedAt < checkInterval) return;
      checkedAt = performance.now();
      const now = logSize();
      if (now < longBytes) nextThreshold = longBytes;
      if (now <= nextThreshold) return;
      try {
        startWorker();
      } catch {
        // If no thread can be started, commits continue to copy the log.
        nextThreshold = Number.POSITIVE_INFINITY;
      }
    },
    isRunning: () => worker !== null,
    close: async () => worker?.terminate(),
  };
};
