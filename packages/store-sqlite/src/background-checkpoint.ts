import { realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';

/** Keeps commits from copying a long log to the file, which takes seconds. */
export type BackgroundCheckpoint = {
  /** Looks how long the log is, once a second at most. Is called when something was committed. */
  readonly checkLog: () => void;
  readonly isRunning: () => boolean;
  /** Ends to copy. */
  readonly close: () => Promise<unknown>;
};

type CheckpointSettings = {
  /** After how many pages a commit copies the log. */
  readonly checkpointPages: number;
  /** From how many bytes on the log is long. */
  readonly longBytes: number;
};

const checkInterval = 1000;

/**
 * Copies the log on a handle of its own, again and again until so little is left that a commit can copy it. To copy does not
 * keep writers waiting; a reader with an old snapshot keeps the rest from being copied.
 */
const checkpointScript = `
  const { sqlite, filename, checkpointPages, pause } = require('node:worker_threads').workerData;
  const Database = require(sqlite);
  const database = new Database(filename, { fileMustExist: true });
  database.pragma('synchronous = FULL');
  const copy = () => {
    const [{ log, checkpointed }] = database.pragma('wal_checkpoint(PASSIVE)');
    if (log - checkpointed < checkpointPages) database.close();
    else setTimeout(copy, pause);
  };
  copy();
`;

/**
 * SQLite copies the log to the file in whatever commit makes it long enough. While a reader keeps an old snapshot it cannot, and
 * the log grows; when that reader ends, the next commit would copy all of it. So once the log is long, commits copy nothing, and a
 * thread does it beside them, until they can go on.
 */
export const createBackgroundCheckpoint = (
  database: Database,
  { checkpointPages, longBytes }: CheckpointSettings,
): BackgroundCheckpoint => {
  const filename = realpathSync(database.name.trim());
  let checkedAt = performance.now();
  /** A log that was copied keeps its size until no reader needs it: it is looked at again when it has grown. */
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
    // Without the flags of the process: a loader of modules that it names has nothing to do here.
    worker = new Worker(checkpointScript, { eval: true, execArgv: [], workerData });
    worker.unref();
    // A disk that fails is noticed where it is written to.
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
        // Where there can be no thread, commits go on copying.
        nextThreshold = Number.POSITIVE_INFINITY;
      }
    },
    isRunning: () => worker !== null,
    close: async () => worker?.terminate(),
  };
};
