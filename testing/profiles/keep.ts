import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../node_modules/.cache/definitions/', import.meta.url));

/** The code that reads the definitions, and their version. */
const source = ['definitions.ts', 'package.json']
  .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
  .join('');

/** What `make` returns, which is JSON. It is kept in a file, so that other processes need not make it again. */
export const keep = <A>(name: string, make: () => A): A => {
  const file = `${folder}${hash('sha1', name + source)}.json`;
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const made = make();
  mkdirSync(folder, { recursive: true });
  // Another process never finds half of it.
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(made));
  renameSync(`${file}.${process.pid}`, file);
  return made;
};
