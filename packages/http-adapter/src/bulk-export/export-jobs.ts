import type { ExportedType, Exporter } from '@clinical-records/core';
import type { BulkExportOptions } from './bulk-export-options.ts';
import type { ExportRequest } from './parse-export.ts';

/** A file of an export. */
export type ExportFile = { readonly name: string; readonly type: ExportedType; readonly count: number };

/** An export that runs, is complete, or has failed. */
export type ExportJob = {
  readonly id: string;
  /** The client that began it. No other client sees it. */
  readonly owner: string;
  /** The URL of the request that began it. */
  readonly request: string;
  readonly stop: AbortController;
  /** The share of the records that was looked at, in percent. */
  progress: number;
  /** Null until it has ended. */
  ended:
    | { readonly at: number; readonly files: readonly ExportFile[]; readonly expires: number }
    | { readonly cause: unknown; readonly expires: number }
    | null;
};

/** The most characters of a file. A response has a whole file, and so does the event for an audit. */
const maxFileLength = 1024 * 1024;

/**
 * A version is dated before it is committed. So an export may lack a version with a time before its own, which the next export
 * then has. In milliseconds.
 */
const overlap = 60_000;

type Lines = { readonly lines: string[]; length: number; files: number };

/** The exports of this process. They end with it. */
export const createExportJobs = (
  exporter: Exporter,
  { files, maxExports = 4, keepFor = 60 * 60 * 1000 }: BulkExportOptions,
) => {
  const jobs = new Map<string, ExportJob>();

  const writeFiles = async (job: ExportJob, { types, since, patientIds }: ExportRequest) => {
    const written: ExportFile[] = [];
    const waiting = new Map<ExportedType, Lines>();
    const flush = async (type: ExportedType, lines: Lines): Promise<void> => {
      lines.files += 1;
      const name = `${type}.${lines.files}.ndjson`;
      const count = lines.lines.length;
      await files.write(
        job.id,
        name,
        lines.lines
          .splice(0)
          .map((line) => `${line}\n`)
          .join(''),
      );
      written.push({ name, type, count });
      lines.length = 0;
    };
    const { at, resources } = await exporter.begin({
      ...(types !== null && { types }),
      patientIds,
      since: since && new Date(since.getTime() - overlap),
      onProgress: ({ records, total }) => {
        job.progress = total === 0 ? 100 : Math.min(100, Math.floor((100 * records) / total));
      },
    });
    for await (const { type, json } of resources) {
      if (job.stop.signal.aborted) break;
      const lines = waiting.get(type) ?? { lines: [], length: 0, files: 0 };
      waiting.set(type, lines);
      if (lines.lines.length > 0 && lines.length + json.length > maxFileLength) await flush(type, lines);
      lines.lines.push(json);
      lines.length += json.length + 1;
    }
    for (const [type, lines] of waiting) await flush(type, lines);
    return { at, files: written };
  };

  const run = async (
    job: ExportJob,
    request: ExportRequest,
    onError: (cause: unknown) => void,
  ): Promise<void> => {
    try {
      const done = await writeFiles(job, request);
      job.ended = { ...done, expires: Date.now() + keepFor };
    } catch (cause) {
      job.ended = { cause, expires: Date.now() + keepFor };
      onError(cause);
    }
    if (job.stop.signal.aborted) await files.remove(job.id).catch(onError);
  };

  const remove = async (job: ExportJob): Promise<void> => {
    jobs.delete(job.id);
    job.stop.abort();
    // A running one removes its files when it has written the last one.
    if (job.ended !== null) await files.remove(job.id);
  };

  /** Removes what has expired. */
  const purge = async (): Promise<void> => {
    for (const job of jobs.values()) {
      if (job.ended !== null && job.ended.expires <= Date.now()) await remove(job);
    }
  };

  return {
    purge,
    remove,
    find: (id: string, owner: string): ExportJob | null => {
      const job = jobs.get(id);
      return job?.owner === owner ? job : null;
    },
    /** Begins an export; null if there are too many. */
    start: (
      {
        owner,
        url,
        request,
      }: { readonly owner: string; readonly url: string; readonly request: ExportRequest },
      onError: (cause: unknown) => void,
    ): ExportJob | null => {
      if (jobs.size >= maxExports) return null;
      const id = crypto.randomUUID();
      const job: ExportJob = {
        id,
        owner,
        request: url,
        stop: new AbortController(),
        progress: 0,
        ended: null,
      };
      jobs.set(id, job);
      void run(job, request, onError).then(() => {
        // It also expires if no request comes any more. A timer does not keep a process alive.
        const timer: unknown = setTimeout(() => void purge().catch(onError), keepFor + 1);
        (timer as { unref?: () => void }).unref?.();
      });
      return job;
    },
  };
};
