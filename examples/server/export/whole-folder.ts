import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { CommandError, uncreatableError } from '../command-error.ts';

const folderBeside = (folder: string): string => {
  try {
    return mkdtempSync(`${folder}.new-`);
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
