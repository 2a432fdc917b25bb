import { existsSync } from 'node:fs';
import { CommandError } from '../command/command-error.ts';

/** A file that SQLite would read as a part of the database under a name; undefined if there is none. */
export const findCompanion = (filename: string): string | undefined =>
  ['-wal', '-shm', '-journal'].map((ending) => filename + ending).find((file) => existsSync(file));

/** Whether a file exists. Throws a `CommandError` if it does not, and SQLite would read another one as a part of it. */
export const hasFile = (filename: string): boolean => {
  // Before the file, because another process may be creating both.
  const companion = findCompanion(filename);
  if (existsSync(filename)) return true;
  if (companion === undefined) return false;
  throw new CommandError(
    `${companion} is left of a file ${filename} that is gone: put that file back, or move its remains away`,
  );
};
