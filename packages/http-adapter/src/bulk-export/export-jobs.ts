import type {
  ChartLimit,
  ExportedResource,
  ExportedType,
  Exporter,
  ExportOptions,
  ResourceType,
} from '@clinical-records/core';
import type { BulkExportOptions } from './bulk-export.ts';
import type { ExportRequest, FileType } from './parse-export.ts';

type ExportFile = { readonly name: string; readonly type: FileType; readonly count: number };

/** The part of a request that the token of the client allows. */
export type GrantedRequest = ExportRequest & {
  readonly types: readonly FileType[];
  /** The types whose Provenances are exported. */
  readonly provenanceOf: readonly ResourceType[];
  /** The types whose practitioners and organizations are exported for a list of patients. */
  readonly membersOf: readonly ExportedType[];
  /** The limits of the types that the scopes allow. */
  readonly limits: ReadonlyMap<FileType, ChartLimit>;
};

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
  readonly limits: GrantedRequest['limits'];
  readonly stop: AbortController;
  /** The number of resources that were exported. That of all records would say something about other charts. */
  exported: number;
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

/** The resources of a type that wait for their file. */
type Waiting = { readonly resources: ExportedResource[]; length: number; files: number };

/** The file that names the patients of a file with Provenances, whose text does not name them. Clients do not see it. */
export const patientsFile = (name: string): string => `${name}.patients`;

const linesOf = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');

/** The searches of the types that are limited to what these find. */
const matchingOf = (limits: GrantedRequest['limits']): ExportOptions['matching'] =>
  Object.fromEntries(
    [...limits].flatMap(([type, { matching }]) => (matching === undefined ? [] : [[type, matching]])),
  );

/** The exports of this process. They end with it. */
export const createExportJobs = (
  exporter: Exporter,
  { files, maxExports = 8, maxExportsPerPrincipal = 4, keepFor = 60 * 60 * 1000 }: BulkExportOptions,
) => {
  const jobs = new Map<string, ExportJob>();

  const writeFiles = async (
    job: ExportJob,
    { types, provenanceOf, membersOf, since, patientIds, limits }: GrantedRequest,
  ) => {
    const written: ExportFile[] = [];
    const waiting = new Map<FileType, Waiting>();
    const flush = async (type: FileType, next: Waiting): Promise<void> => {
      next.files += 1;
      const name = `${type}.${next.files}.ndjson`;
      const resources = next.resources.splice(0);
      next.length = 0;
      await files.write(job.id, name, linesOf(resources.map(({ json }) => json)));
      if (type === 'Provenance') {
        const patients = new Set(resources.flatMap(({ patientId }) => patientId ?? []));
        await files.write(job.id, patientsFile(name), linesOf([...patients]));
      }
      written.push({ name, type, count: resources.length });
    };
    const { at, resources } = await exporter.begin({
      types: types.filter((type) => type !== 'Provenance'),
      provenanceOf,
      membersOf,
      patientIds,
      matching: matchingOf(limits),
      since: since && new Date(since.getTime() - overlap),
      onProgress: ({ exported }) => {
        job.exported = exported;
      },
    });
    for await (const resource of resources) {
      if (job.stop.signal.aborted) return { at, files: written };
      const { type, json } = resource;
      const next = waiting.get(type) ?? { resources: [], length: 0, files: 0 };
      waiting.set(type, next);
      if (next.resources.length > 0 && next.length + json.length > maxFileLength) await flush(type, next);
      next.resources.push(resource);
      next.length += json.length + 1;
    }
    for (const [type, last] of waiting) await flush(type, last);
    return { at, files: written };
  };

  const run = async (
    job: ExportJob,
    request: GrantedRequest,
    onError: (cause: unknown) => void,
  ): Promise<void> => {
    try {
      const done = await writeFiles(job, request);
      job.ended = { ...done, expires: Date.now() + keepFor };
    } catch (cause) {
      job.ended = { cause, expires: Date.now() + keepFor };
      onError(cause);
    }
    if (job.stop.signal.aborted) await removeFiles(job).catch(onError);
  };

  /** Removes what an export has left. If that fails, the export stays, so that it is tried again. */
  const removeFiles = async ({ id }: ExportJob): Promise<void> => {
    await files.remove(id);
    jobs.delete(id);
  };

  const remove = async (job: ExportJob): Promise<void> => {
    // A running one removes its files when it has written the last one.
    if (job.ended === null) job.stop.abort();
    else await removeFiles(job);
  };

  /** Whether an export is to be removed: it was stopped, or has expired. */
  const isOver = ({ stop, ended }: ExportJob): boolean =>
    stop.signal.aborted || (ended !== null && ended.expires <= Date.now());

  /** Removes what is over, as far as it has ended. */
  const purge = async (onError: (cause: unknown) => void): Promise<void> => {
    for (const job of jobs.values()) {
      if (isOver(job) && job.ended !== null) await removeFiles(job).catch(onError);
    }
  };

  return {
    purge,
    remove,
    find: (id: string, owner: string): ExportJob | null => {
      const job = jobs.get(id);
      return job?.owner === owner && !isOver(job) ? job : null;
    },
    /** Begins an export; null if there are too many, of the owner or in all. */
    start: (
      {
        owner,
        url,
        request,
      }: { readonly owner: string; readonly url: string; readonly request: GrantedRequest },
      onError: (cause: unknown) => void,
    ): ExportJob | null => {
      const kept = [...jobs.values()].filter(({ stop }) => !stop.signal.aborted);
      const ofOwner = kept.filter((job) => job.owner === owner);
      if (kept.length >= maxExports || ofOwner.length >= maxExportsPerPrincipal) return null;
      const id = crypto.randomUUID();
      const job: ExportJob = {
        id,
        owner,
        request: url,
        types: [...request.types, ...request.provenanceOf],
        limits: request.limits,
        stop: new AbortController(),
        exported: 0,
        ended: null,
      };
      jobs.set(id, job);
      void run(job, request, onError).then(() => {
        // It also expires if no request comes any more. A timer does not keep a process alive.
        const timer: unknown = setTimeout(() => void purge(onError), keepFor + 1);
        (timer as { unref?: () => void }).unref?.();
      });
      return job;
    },
  };
};
