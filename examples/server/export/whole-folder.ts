import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandError, uncreatableError } from '../command/command-error.ts';

/** A new folder beside another one, whose name may end in a slash. */
const folderBeside = (folder: string): string => {
  try {
    return mkdtempSync(`${resolve(folder)}.new-`);
  } catch (cause) {
    throw uncreatableError(folder, cause);
  }
};

/**
 * Creates a folder as `fill` fills it. It appears whole or not at all, even if the process is killed: it gets its name at
 * the end. Throws a `CommandError` if there is something under that name.
 */
export const createWholeFolder = async <Result>(
  folder: string,
  fill: (folder: string) => Promise<Result>,
): Promise<Result> => {
  if (existsSync(folder))
    throw new CommandError(`${folder} exists already, and an export overwrites nothing`);
  const filling = folderBeside(folder);
  try {
    const result = await fill(filling);
    renameSync(filling, folder);
    return result;
  } finally {
    rmSync(filling, { recursive: true, force: true });
  }
};
