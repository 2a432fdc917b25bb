import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Refusal, reasonOf } from '../refusal.ts';

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

const sourceAt = (path: string): Source => {
  try {
    accessSync(path, constants.R_OK);
    return { path, kind: extname(path) === '.ndjson' ? 'ndjson' : 'json', bytes: statSync(path).size };
  } catch (cause) {
    throw new Refusal(`cannot read ${path}: ${reasonOf(cause)}`);
  }
};

/** The files of a folder that can be imported, in the order in which they should be. Throws a `Refusal` where there are none. */
export const sourcesIn = (folder: string): readonly Source[] => {
  let names: readonly string[];
  try {
    names = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && ['.ndjson', '.json'].includes(extname(entry.name)))
      .map(({ name }) => name);
  } catch (cause) {
    throw new Refusal(`cannot read the folder ${folder}: ${reasonOf(cause)}`);
  }
  if (names.length === 0) throw new Refusal(`the folder ${folder} holds no *.ndjson and no *.json`);
  return names
    .toSorted((one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1))
    .map((name) => sourceAt(join(folder, name)));
};
