import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CommandError, requireCreatable } from '../command/command-error.ts';
import { findCompanion } from '../open/find-file.ts';
import { isPathError, openError } from '../open/open-error.ts';
import { backUp } from './backup.ts';

/** Backs the data up into a new file. Throws a `CommandError` if that fails. */
export const backUpInto = async (target: string, filename: string): Promise<void> => {
  // Without the spaces around a name and the slash at its end, which better-sqlite3 and SQLite ignore.
  const name = target.trim();
  const copy = join(dirname(name), basename(name));
  const inTheWay = existsSync(copy) ? copy : findCompanion(copy);
  if (inTheWay !== undefined) {
    throw new CommandError(`${inTheWay} exists already, and a backup overwrites nothing`);
  }
  requireCreatable(copy);
  try {
    await backUp(filename, copy);
  } catch (cause) {
    throw isPathError(cause)
      ? openError(filename, cause)
      : new CommandError(`cannot back up ${filename} into ${copy}: ${(cause as Error).message}`, 'data');
  }
  console.log(`Backed up ${filename} into ${copy}`);
};
