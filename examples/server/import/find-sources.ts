import {
  accessSync,
  closeSync,
  constants,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { adviceOnFormat } from '@clinical-records/core/adapter';
import { CommandError, unreadableError } from '../command/command-error.ts';

/**
 * A file of FHIR resources. It has one resource on each line, or a single JSON text, which may be a Bundle. It may be
 * compressed.
 */
export type SourceFile = {
  readonly path: string;
  readonly format: 'ndjson' | 'json';
  readonly isCompressed: boolean;
  readonly bytes: number;
};

/** Types that others refer to come first, so that few resources have to wait. */
const firstTypes = ['organization', 'practitioner', 'patient', 'encounter'];

/** The order of a file by the type in its name, such as `Patient.ndjson` or `Patient.000.ndjson`. */
const rankOf = (name: string): number => {
  const words = name.toLowerCase().split(/[^a-z]+/);
  const rank = firstTypes.findIndex((type) => words.includes(type));
  return rank === -1 ? firstTypes.length : rank;
};

/** The format of a file by its name; null if the name does not show it. A name that begins with a dot is hidden. */
const formatOf = (path: string): Pick<SourceFile, 'format' | 'isCompressed'> | null => {
  const match = /^[^.].*\.(ndjson|json)(\.gz)?$/.exec(basename(path));
  return match === null
    ? null
    : { format: match[1] === 'json' ? 'json' : 'ndjson', isCompressed: match[2] !== undefined };
};

/** The kind of file that can be imported, for messages. */
export const sourceFormats = 'file that ends in .ndjson, .json or either with .gz';

const statsOf = (path: string, what = path): Stats => {
  try {
    return statSync(path);
  } catch (cause) {
    throw unreadableError(what, cause);
  }
};

/** The source file of a path; null if it cannot be imported. A pipe or a device may never end, so it cannot. */
const findSource = (path: string): SourceFile | null => {
  const format = formatOf(path);
  if (format === null) return null;
  const stats = statsOf(path);
  if (!stats.isFile()) return null;
  try {
    accessSync(path, constants.R_OK);
  } catch (cause) {
    throw unreadableError(path, cause);
  }
  return { path, ...format, bytes: stats.size };
};

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch (cause) {
    throw unreadableError(`the folder ${folder}`, cause);
  }
};

/** The files that can be imported, in the order of their import, and the other files of their folder, with what to do about them. */
export type SourceFiles = { readonly sources: readonly SourceFile[]; readonly skipped: readonly string[] };

const findSourcesIn = (folder: string): SourceFiles => {
  const names = namesIn(folder).filter((name) => !name.startsWith('.') && !isManifest(join(folder, name)));
  const found = names
    .toSorted((one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1))
    .map((name) => findSource(join(folder, name)));
  const sources = found.filter((source) => source !== null);
  if (sources.length === 0) throw new CommandError(`the folder ${folder} has no ${sourceFormats}`);
  const paths = new Set(sources.map(({ path }) => path));
  const skipped = names.map((name) => join(folder, name)).filter((path) => !paths.has(path));
  return {
    sources,
    skipped: skipped.map((path) => `${basename(path)}${statsOf(path).isFile() ? adviceOn(path) : ''}`),
  };
};

/** The beginning of a file; empty if it cannot be read. */
const headOf = (path: string): string => {
  try {
    const file = openSync(path, 'r');
    try {
      const head = Buffer.alloc(4_096);
      return head.toString('utf8', 0, readSync(file, head));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
};

/** Whether a file is the list of the files of a bulk export. Source: Bulk Data Access 2.0, Response, Complete Status. */
const isManifest = (path: string): boolean => {
  if (!/\.json$/.test(path) || !statsOf(path).isFile()) return false;
  const head = headOf(path);
  return head.includes('"transactionTime"') && !head.includes('"resourceType"');
};

/** The advice on a file by its beginning: its format, and what to convert it to. Empty if the format is not known. */
const adviceOn = (path: string): string => {
  const advice = adviceOnFormat(headOf(path));
  return advice === null ? '' : `. ${advice}`;
};

/** Finds the files in a folder, or returns the single file. Throws a `CommandError` if there are none to import. */
export const findSources = (path: string): SourceFiles => {
  if (statsOf(path).isDirectory()) return findSourcesIn(path);
  const source = findSource(path);
  if (source === null) {
    const advice = statsOf(path).isFile() ? adviceOn(path) : '';
    throw new CommandError(`${path} is not a ${sourceFormats}${advice}`);
  }
  return { sources: [source], skipped: [] };
};
