import { accessSync, constants, readdirSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Refusal, unreadable } from '../refusal.ts';

/** A file of FHIR resources: one a line, or one in all, which may be a Bundle. It may be compressed. */
export type Source = {
  readonly path: string;
  readonly kind: 'ndjson' | 'json';
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
const formatOf = (path: string): Pick<Source, 'kind' | 'isCompressed'> | null => {
  const match = /^[^.].*\.(ndjson|json)(\.gz)?$/.exec(basename(path));
  return match === null
    ? null
    : { kind: match[1] === 'json' ? 'json' : 'ndjson', isCompressed: match[2] !== undefined };
};

const formats = '*.ndjson and no *.json, nor either with .gz';

const statsOf = (path: string, what = path): Stats => {
  try {
    return statSync(path);
  } catch (cause) {
    throw unreadable(what, cause);
  }
};

/** The file of a path; null where it is none to import. A pipe or a device may never end: it is none. */
const sourceAt = (path: string): Source | null => {
  const format = formatOf(path);
  if (format === null) return null;
  const stats = statsOf(path);
  if (!stats.isFile()) return null;
  try {
    accessSync(path, constants.R_OK);
  } catch (cause) {
    throw unreadable(path, cause);
  }
  return { path, ...format, bytes: stats.size };
};

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch (cause) {
    throw unreadable(`the folder ${folder}`, cause);
  }
};

/** The files that can be imported, in the order in which they should be, and what else is in their folder. */
export type Sources = { readonly sources: readonly Source[]; readonly passedOver: readonly string[] };

const sourcesIn = (folder: string): Sources => {
  const names = namesIn(folder).filter((name) => !name.startsWith('.'));
  const found = names
    .toSorted((one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1))
    .map((name) => sourceAt(join(folder, name)));
  const sources = found.filter((source) => source !== null);
  if (sources.length === 0) throw new Refusal(`the folder ${folder} holds no ${formats}`);
  const paths = new Set(sources.map(({ path }) => path));
  return { sources, passedOver: names.filter((name) => !paths.has(join(folder, name))) };
};

/** Looks for the files in a folder, or takes the one file. Throws a `Refusal` where there are none to import. */
export const sourcesAt = (path: string): Sources => {
  if (statsOf(path).isDirectory()) return sourcesIn(path);
  const source = sourceAt(path);
  if (source === null) throw new Refusal(`the file ${path} is no ${formats}`);
  return { sources: [source], passedOver: [] };
};
