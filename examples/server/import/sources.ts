import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Refusal, unreadable } from '../refusal.ts';

/** A file of FHIR resources: one a line, or one in all, which may be a Bundle. */
export type Source = { readonly path: string; readonly kind: 'ndjson' | 'json'; readonly bytes: number };

/** What others refer to comes first, so that little has to wait. */
const firstTypes = ['organization', 'practitioner', 'patient', 'encounter'];

/** The place of a file by the type in its name, such as `Patient.ndjson` or `Patient.000.ndjson`. */
const rankOf = (name: string): number => {
  const words = name.toLowerCase().split(/[^a-z]+/);
  const rank = firstTypes.findIndex((type) => words.includes(type));
  return rank === -1 ? firstTypes.length : rank;
};

const isImportable = (path: string): boolean => {
  try {
    return ['.ndjson', '.json'].includes(extname(path)) && !statSync(path).isDirectory();
  } catch (cause) {
    throw unreadable(path, cause);
  }
};

const sourceAt = (path: string): Source => {
  try {
    accessSync(path, constants.R_OK);
    return { path, kind: extname(path) === '.ndjson' ? 'ndjson' : 'json', bytes: statSync(path).size };
  } catch (cause) {
    throw unreadable(path, cause);
  }
};

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch (cause) {
    throw unreadable(`the folder ${folder}`, cause);
  }
};

/** The files of a folder that can be imported, in the order in which they should be, and what else is in it. */
export type Sources = { readonly sources: readonly Source[]; readonly passedOver: readonly string[] };

/** Looks for the files in a folder. Throws a `Refusal` where there are none to import. */
export const sourcesIn = (folder: string): Sources => {
  const all = namesIn(folder);
  const names = all.filter((name) => isImportable(join(folder, name)));
  if (names.length === 0) throw new Refusal(`the folder ${folder} holds no *.ndjson and no *.json`);
  return {
    sources: names
      .toSorted((one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1))
      .map((name) => sourceAt(join(folder, name))),
    passedOver: all.filter((name) => !names.includes(name)),
  };
};
