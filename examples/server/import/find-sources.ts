import { accessSync, constants, readdirSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CommandError, unreadableError } from '../command-error.ts';

/** A file of FHIR resources: one a line, or one in all, which may be a Bundle. It may be compressed. */
export type SourceFile = {
  readonly path: string;
  readonly format: 'ndjson' | 'json';
  readonly isCompressed: boolean;
  readonly bytes: number;
};

/** What others refer to comes first, so that little has to wait. */
const firstTypes = ['organization', 'practitioner', 'patient', 'encounter'];

/** The place of a file by the type in its name, such as `Patient.ndjson` or `Patient.000.ndjson`. */
const rankOf = (name: string): number => {
  const words = name.toLowerCase().split(/[^a-z]+/);
  const rank = firstTypes.findIndex((type) => words.includes(type));
  return rank === -1 ? firstTypes.length : rank;
};

/** What of a name says how a file is read; null where nothing does. A name that begins with a dot is hidden. */
const formatOf = (path: string): Pick<SourceFile, 'format' | 'isCompressed'> | null => {
  const match = /^[^.].*\.(ndjson|json)(\.gz)?$/.exec(basename(path));
  return match === null
    ? null
    : { format: match[1] === 'json' ? 'json' : 'ndjson', isCompressed: match[2] !== undefined };
};

const formats = '*.ndjson and no *.json, nor either with .gz';

const statsOf = (path: string, what = path): Stats => {
  try {
    return statSync(path);
  } catch (cause) {
    throw unreadableError(what, cause);
  }
};

/** The file of a path; null where it is none to import. A pipe or a device may never end: it is none. */
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

/** The files that can be imported, in the order in which they should be, and what else is in their folder. */
export type SourceFiles = { readonly sources: readonly SourceFile[]; readonly skipped: readonly string[] };

const findSourcesIn = (folder: string): SourceFiles => {
  const names = namesIn(folder).filter((name) => !name.startsWith('.'));
  const found = names
    .toSorted((one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1))
    .map((name) => findSource(join(folder, name)));
  const sources = found.filter((source) => source !== null);
  if (sources.length === 0) throw new CommandError(`the folder ${folder} holds no ${formats}`);
  const paths = new Set(sources.map(({ path }) => path));
  return { sources, skipped: names.filter((name) => !paths.has(join(folder, name))) };
};

/** Looks for the files in a folder, or takes the one file. Throws a `CommandError` where there are none to import. */
export const findSources = (path: string): SourceFiles => {
  if (statsOf(path).isDirectory()) return findSourcesIn(path);
  const source = findSource(path);
  if (source === null) throw new CommandError(`the file ${path} is no ${formats}`);
  return { sources: [source], skipped: [] };
};
