import type { ChartLimit } from '@clinical-records/core';
import * as E from 'fp-ts/lib/Either.js';
import type { Principal } from '../access/scopes.ts';
import { type HttpError, tooManyExports, unknownExport } from '../errors.ts';
import type { BeginExport } from '../host/host-charts.ts';
import type { BulkExportOptions, ExportFiles } from './options.ts';
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

/** An export that was requested, and may begin. */
type GrantedExport = { readonly owner: string; readonly url: string; readonly request: GrantedRequest };

/** The client to whom an export belongs. */
export const ownerOf = ({ subject, client = '' }: Principal): string => JSON.stringify([subject, client]);

const createJob = ({ owner, url, request }: GrantedExport): ExportJob => ({
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
});

/** Whether an export is to be removed: it was stopped, or has expired. */
const isOver = ({ stop, ended }: ExportJob): boolean =>
  stop.signal.aborted || (ended !== null && ended.expires <= Date.now());

/** In how many milliseconds an export will have ended: it looks at all records, or as long again as it has. */
const timeLeft = ({ begun, records }: ExportJob, allRecords: number): number => {
  const elapsed = Date.now() - begun;
  if (allRecords === 0 || records === 0) return elapsed;
  return (elapsed * Math.max(0, allRecords - records)) / records;
};

/** The error of a client while too many exports are running, its own or in all; null if another one may run. */
const refuseAnother = (
  owner: string,
  running: readonly ExportJob[],
  {
    maxExports,
    maxExportsPerPrincipal,
  }: Required<Pick<BulkExportOptions, 'maxExports' | 'maxExportsPerPrincipal'>>,
  allRecords: number,
): HttpError | null => {
  const full = [
    { most: maxExports, among: running },
    { most: maxExportsPerPrincipal, among: running.filter((job) => job.owner === owner) },
  ].filter(({ most, among }) => among.length >= most);
  if (full.length === 0) return null;
  const times = full.map(({ among }) => Math.min(...among.map((job) => timeLeft(job, allRecords))));
  return tooManyExports(Math.max(1, Math.ceil(Math.max(...times) / 1000)));
};

/** Stops the oldest of a client's exports that have ended, until the others are few and small enough. The latest one stays. */
const stopOldest = (
  kept: readonly ExportJob[],
  { maxKept, maxKeptBytes }: Required<Pick<BulkExportOptions, 'maxKept' | 'maxKeptBytes'>>,
): void => {
  let bytes = kept.reduce((sum, { ended }) => sum + (ended?.bytes ?? 0), 0);
  for (const [index, { stop, ended }] of kept.slice(0, -1).entries()) {
    if (kept.length - index <= maxKept && bytes <= maxKeptBytes) break;
    stop.abort();
    bytes -= ended?.bytes ?? 0;
  }
};

type ReportCause = (cause: unknown) => void;

/** Writes the files of an export, and returns how it has ended. */
const writeFiles = async (
  job: ExportJob,
  request: GrantedRequest,
  exporter: BeginExport,
  {
    files,
    keepFor,
    onError,
  }: Required<Pick<BulkExportOptions, 'files' | 'keepFor'>> & { onError: ReportCause },
): Promise<NonNullable<ExportJob['ended']>> => {
  try {
    const written = await writeExportFiles(exporter, (name, text) => files.write(job.id, name, text), {
      request,
      onProgress: ({ records, exported }) => Object.assign(job, { records, exported }),
      signal: job.stop.signal,
    });
    return { ...written, expires: Date.now() + keepFor };
  } catch (cause) {
    onError(cause);
    await files.remove(job.id).catch(onError);
    return { cause, bytes: 0, expires: Date.now() + keepFor };
  }
};

/** The exports whose files may exist. */
const createJobList = (files: ExportFiles) => {
  /** The exports by their ids. Those that have ended are in the order of their ends. */
  const jobs = new Map<string, ExportJob>();

  /** Removes the files of an export. If that fails, the export stays, so that it is tried again. */
  const removeFiles = async ({ id }: ExportJob): Promise<void> => {
    await files.remove(id);
    jobs.delete(id);
  };

  return {
    /** Puts an export behind all others. */
    put: (job: ExportJob): void => {
      jobs.delete(job.id);
      jobs.set(job.id, job);
    },

    select: (isSelected: (job: ExportJob) => boolean): readonly ExportJob[] =>
      [...jobs.values()].filter((job) => !isOver(job) && isSelected(job)),

    find: (id: string, owner: string): E.Either<HttpError, ExportJob> => {
      const job = jobs.get(id);
      return job?.owner === owner && !isOver(job) ? E.right(job) : E.left(unknownExport);
    },

    remove: async (job: ExportJob): Promise<void> => {
      // A running one removes its files when it has written the last one.
      if (job.ended === null) job.stop.abort();
      else await removeFiles(job);
    },

    /** Removes what is over, as far as it has ended. */
    purge: async (onError: ReportCause): Promise<void> => {
      for (const job of jobs.values()) {
        if (isOver(job) && job.ended !== null) await removeFiles(job).catch(onError);
      }
    },
  };
};

/** The exports of this process. They end with it. */
export type ExportJobs = Pick<ReturnType<typeof createJobList>, 'find' | 'remove' | 'purge'> & {
  /** Begins an export, unless too many of its owner are running, or in all. */
  readonly start: (requested: GrantedExport, onError: ReportCause) => E.Either<HttpError, ExportJob>;
};

export const createExportJobs = (
  exporter: BeginExport,
  {
    files,
    maxExports = 8,
    maxExportsPerPrincipal = 4,
    maxKept = 4,
    maxKeptBytes = 1024 ** 3,
    keepFor = 60 * 60 * 1000,
  }: BulkExportOptions,
): ExportJobs => {
  const { put, select, find, remove, purge } = createJobList(files);
  /** The number of records that the last complete export has looked at; 0 before the first one. */
  let allRecords = 0;

  const run = async (job: ExportJob, request: GrantedRequest, onError: ReportCause): Promise<void> => {
    const ended = await writeFiles(job, request, exporter, { files, keepFor, onError });
    if ('files' in ended && !job.stop.signal.aborted) allRecords = job.records;
    job.ended = ended;
    put(job);
    const kept = select((other) => other.owner === job.owner && other.ended !== null);
    stopOldest(kept, { maxKept, maxKeptBytes });
    await purge(onError);
    // It also expires if no request comes any more. A timer does not keep a process alive.
    const timer: unknown = setTimeout(() => void purge(onError), keepFor + 1);
    (timer as { unref?: () => void }).unref?.();
  };

  const start: ExportJobs['start'] = (requested, onError) => {
    const running = select(({ ended }) => ended === null);
    const limits = { maxExports, maxExportsPerPrincipal };
    const refused = refuseAnother(requested.owner, running, limits, allRecords);
    if (refused !== null) return E.left(refused);
    const job = createJob(requested);
    put(job);
    void run(job, requested.request, onError);
    return E.right(job);
  };

  return { start, find, remove, purge };
};
