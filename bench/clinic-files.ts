import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startChild } from './child/start-child.ts';
import type { Import } from './in-process/imports.ts';
import type { Rate } from './measure/interleaved.ts';
import { readThrough } from './read-through.ts';

const folder = fileURLToPath(new URL('clinics/', import.meta.url));

/** Two files with the same clinic: one of this library, and one of the floor. */
export type ClinicFiles = { readonly ours: string; readonly floor: string };

/** The path of a file in the folder of the clinics. */
export const clinicFile = (name: string): string => `${folder}${name}.db`;

/** Removes a file, and the files that SQLite keeps beside it. */
export const removeClinicFile = (file: string): void => {
  for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true });
};

/** Copies a file that nothing writes to, with its log, and returns the path of the copy. */
export const copyClinicFile = (file: string, name: string): string => {
  const copy = clinicFile(name);
  removeClinicFile(copy);
  for (const part of ['', '-wal'])
    if (existsSync(`${file}${part}`)) cpSync(`${file}${part}`, `${copy}${part}`);
  return copy;
};

export const removeClinicFiles = ({ ours, floor }: ClinicFiles): void => {
  for (const file of [ours, floor]) removeClinicFile(file);
};

/** Fills both files with this many records. */
export const createClinicFiles = async (records: number): Promise<ClinicFiles> => {
  const files = { ours: clinicFile(`ours-${records}`), floor: clinicFile(`floor-${records}`) };
  mkdirSync(folder, { recursive: true });
  removeClinicFiles(files);
  const imports = await startChild<Import, Rate>('in-process/imports.ts', files.ours, files.floor);
  for (const into of ['ours', 'floor'] as const) {
    const { perSecond } = await imports.ask({ into, range: { from: 0, until: records }, timed: false });
    console.error(`${records} records into ${into}: ${Math.round(perSecond)} resources a second`);
  }
  await imports.stop();
  return files;
};

/** Reads both files once. */
export const warmUp = async ({ ours, floor }: ClinicFiles): Promise<void> => {
  for (const file of [ours, floor]) await readThrough(file);
};
