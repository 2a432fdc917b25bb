import type { ChartLimit, ExportOptions, ExportProgress } from '@clinical-records/core';
import type { ExportedResource } from '@clinical-records/core/adapter';
import type { BeginExport } from '../host/host-charts.ts';
import type { ExportRequest, FileType } from './parse-export.ts';

/** The part of a request that the token of the client allows. */
export type GrantedRequest = ExportRequest & {
  readonly types: readonly FileType[];
  /** The types whose Provenances are exported. */
  readonly provenanceOf: readonly string[];
  /** The types whose practitioners and organizations are exported for a list of patients. */
  readonly membersOf: readonly string[];
  /** The limits of the types that the scopes allow. */
  readonly limits: ReadonlyMap<FileType, ChartLimit>;
};

export type ExportFile = { readonly name: string; readonly type: FileType; readonly count: number };

/** The moment that an export shows, its files, and their size in bytes. */
export type WrittenFiles = {
  readonly at: number;
  readonly files: readonly ExportFile[];
  readonly bytes: number;
};

/** The most characters of a file. A response has a whole file, and so does the event for an audit. */
const maxFileLength = 1024 * 1024;

/**
 * A version is dated before it is committed. So an export may lack a version with a time before its own, which the next export
 * then has. In milliseconds.
 */
const overlap = 60_000;

/** The resources of a type that wait for their file. */
type Waiting = { readonly resources: ExportedResource<string>[]; length: number; files: number };

/** The file that names the patients of a file with Provenances, whose text does not name them. Clients do not see it. */
export const patientsFile = (name: string): string => `${name}.patients`;

const linesOf = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');

/** The searches of the types that are limited to what these find. */
const matchingOf = (limits: GrantedRequest['limits']): ExportOptions<string>['matching'] =>
  Object.fromEntries(
    [...limits].flatMap(([type, { matching }]) => (matching === undefined ? [] : [[type, matching]])),
  );

const encoder = new TextEncoder();

/** Writes the files of an export, and stops once `signal` is aborted. */
export const writeExportFiles = async (
  exporter: BeginExport,
  write: (name: string, text: string) => Promise<void>,
  {
    request: { types, provenanceOf, membersOf, since, patientIds, limits },
    onProgress,
    signal,
  }: {
    readonly request: GrantedRequest;
    readonly onProgress: (progress: ExportProgress) => void;
    readonly signal: AbortSignal;
  },
): Promise<WrittenFiles> => {
  const files: ExportFile[] = [];
  let bytes = 0;
  const waiting = new Map<FileType, Waiting>();
  const writeLines = async (name: string, lines: readonly string[]): Promise<void> => {
    const text = linesOf(lines);
    await write(name, text);
    bytes += encoder.encode(text).length;
  };
  const flush = async (type: FileType, next: Waiting): Promise<void> => {
    next.files += 1;
    const name = `${type}.${next.files}.ndjson`;
    const resources = next.resources.splice(0);
    next.length = 0;
    await writeLines(
      name,
      resources.map(({ json }) => json),
    );
    if (type === 'Provenance') {
      const patients = new Set(resources.flatMap(({ patientId }) => patientId ?? []));
      await writeLines(patientsFile(name), [...patients]);
    }
    files.push({ name, type, count: resources.length });
  };
  const { at, resources } = await exporter.begin({
    types: types.filter((type) => type !== 'Provenance'),
    provenanceOf,
    membersOf,
    patientIds,
    matching: matchingOf(limits),
    since: since && new Date(since.getTime() - overlap),
    onProgress,
  });
  for await (const resource of resources) {
    if (signal.aborted) return { at, files, bytes };
    const { type, json } = resource;
    const next = waiting.get(type) ?? { resources: [], length: 0, files: 0 };
    waiting.set(type, next);
    if (next.resources.length > 0 && next.length + json.length > maxFileLength) await flush(type, next);
    next.resources.push(resource);
    next.length += json.length + 1;
  }
  for (const [type, last] of waiting) await flush(type, last);
  return { at, files, bytes };
};
