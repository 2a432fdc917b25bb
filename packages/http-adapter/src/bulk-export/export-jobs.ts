import type { ChartLimit, Exporter } from '@clinical-records/core';
import * as E from 'fp-ts/lib/Either.js';
import { type HttpError, tooManyExports, unknownExport } from '../errors.ts';
import type { BulkExportOptions } from './bulk-export.ts';
import type { FileType } from './parse-export.ts';
import { type ExportFile, type GrantedRequest, writeExportFiles } from './write-files.ts';

/** An export that runs, is complete, or has failed. */
export type ExportJob = {
  readonly id: string;
  /** The client that began it. No other client sees it. */
  readonly owner: string;
  /** The URL of the request that began it. */
  readonly request: string;
  /** The types that a token needs: those in the files, and those of the resources that its Provenances name. */
  readonly types: readonly FileType[];
  /** The limits under which these were exported. */
  readonly limits: ReadonlyMap<FileType, ChartLimit>;
  /** The patients whose charts are exported; undefined for all. */
  readonly patientIds: readonly string[] | undefined;
  /** When it began, in milliseconds since 1970. */
  readonly begun: number;
  /** Is aborted once the export is to be removed, whether it has ended or not. */
  readonly stop: AbortController;
  /** The number of records that were looked at. */
  records: number;
  /** The number of resources that were exported. That of all records would say something about other charts. */
  exported: number;
  /** Null until it has ended. */
  ended:
    | {
        readonly at: number;
        readonly files: readonly ExportFile[];
        readonly bytes: number;
        readonly expires: number;
      }
    | { readonly cause: unknown; readonly bytes: 0; readonly expires: number }
    | null;
};

type RequestedExport = { readonly owner: string; readonly url: string; readonly request: GrantedRequest };

/** The exports of this process. They end with it. */
export const createExportJobs = (
  exporter: Exporter,
  {
    files,
    maxExports = 8,
    maxExportsPerPrincipal = 4,
    maxKept = 4,
    maxKeptBytes = 1024 ** 3,
    keepFor = 60 * 60 * 1000,
  }: BulkExportOptions,
) => {
  /** The exports by their ids. Those that have ended are in the order of their ends. */
  const jobs = new Map<string, ExportJob>();
  /** The number of records that the last complete export has looked at; 0 before the first one. */
  let allRecords = 0;

  /** Whether an export is to be removed: it was stopped, or has expired. */
  const isOver = ({ stop, ended }: ExportJob): boolean =>
    stop.signal.aborted || (ended !== null && ended.expires <= Date.now());

  const select = (isSelected: (job: ExportJob) => boolean): readonly ExportJob[] =>
    [...jobs.values()].filter((job) => !isOver(job) && isSelected(job));

  /** Removes the files of an export. If that fails, the export stays, so that it is tried again. */
  const removeFiles = async ({ id }: ExportJob): Promise<void> => {
    await files.remove(id);
    jobs.delete(id);
  };

  /** Removes what is over, as far as it has ended. */
  const purge = async (onError: (cause: unknown) => void): Promise<void> => {
    for (const job of jobs.values()) {
      if (isOver(job) && job.ended !== null) await removeFiles(job).catch(onError);
    }
  };

  /** Stops the oldest exports of a client that have ended, until the others are few and small enough. The latest one stays. */
  const makeRoom = (owner: string): void => {
    const kept = select((job) => job.owner === owner && job.ended !== null);
    let bytes = kept.reduce((sum, { ended }) => sum + (ended?.bytes ?? 0), 0);
    for (const [index, { stop, ended }] of kept.slice(0, -1).entries()) {
      if (kept.length - index <= maxKept && bytes <= maxKeptBytes) break;
      stop.abort();
      bytes -= ended?.bytes ?? 0;
    }
  };

  /** In how many milliseconds an export will have ended: it looks at all records, or as long again as it has. */
  const timeLeft = ({ begun, records }: ExportJob): number => {
    const elapsed = Date.now() - begun;
    if (allRecords === 0 || records === 0) return elapsed;
    return (elapsed * Math.max(0, allRecords - records)) / records;
  };

  const run = async (
    job: ExportJob,
    request: GrantedRequest,
    onError: (cause: unknown) => void,
  ): Promise<void> => {
    try {
      const written = await writeExportFiles(exporter, (name, text) => files.write(job.id, name, text), {
        request,
        onProgress: ({ records, exported }) => Object.assign(job, { records, exported }),
        signal: job.stop.signal,
      });
      if (!job.stop.signal.aborted) allRecords = job.records;
      job.ended = { ...written, expires: Date.now() + keepFor };
    } catch (cause) {
      onError(cause);
      await files.remove(job.id).catch(onError);
      job.ended = { cause, bytes: 0, expires: Date.now() + keepFor };
    }
    jobs.delete(job.id);
    jobs.set(job.id, job);
    makeRoom(job.owner);
    await purge(onError);
    // It also expires if no request comes any more. A timer does not keep a process alive.
    const timer: unknown = setTimeout(() => void purge(onError), keepFor + 1);
    (timer as { unref?: () => void }).unref?.();
  };

  return {
    purge,

    remove: async (job: ExportJob): Promise<void> => {
      // A running one removes its files when it has written the last one.
      if (job.ended === null) job.stop.abort();
      else await removeFiles(job);
    },

    find: (id: string, owner: string): E.Either<HttpError, ExportJob> => {
      const job = jobs.get(id);
      return job?.owner === owner && !isOver(job) ? E.right(job) : E.left(unknownExport);
    },

    /** Begins an export, unless too many of its owner are running, or in all. */
    start: (
      { owner, url, request }: RequestedExport,
      onError: (cause: unknown) => void,
    ): E.Either<HttpError, ExportJob> => {
      const running = select(({ ended }) => ended === null);
      const full = [
        { most: maxExports, among: running },
        { most: maxExportsPerPrincipal, among: running.filter((job) => job.owner === owner) },
      ].filter(({ most, among }) => among.length >= most);
      if (full.length > 0) {
        const times = full.map(({ among }) => Math.min(...among.map(timeLeft)));
        return E.left(tooManyExports(Math.max(1, Math.ceil(Math.max(...times) / 1000))));
      }
      const job: ExportJob = {
        id: crypto.randomUUID(),
        owner,
        request: url,
        types: [...request.types, ...request.provenanceOf],
        limits: request.limits,
        patientIds: request.patientIds,
        begun: Date.now(),
        stop: new AbortController(),
        records: 0,
        exported: 0,
        ended: null,
      };
      jobs.set(job.id, job);
      void run(job, request, onError);
      return E.right(job);
    },
  };
};
