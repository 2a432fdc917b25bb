import { existsSync } from 'node:fs';
import { backUp } from './backup.ts';
import { CommandError } from './command-error.ts';

/** What SQLite would take for a part of the copy, were it there. */
const companions = ['', '-wal', '-shm', '-journal'];

/** Backs the data up into a file that is not there yet. Throws a `CommandError` where that cannot be. */
export const backUpInto = async (copy: string, filename: string): Promise<void> => {
  const inTheWay = companions.map((companion) => copy + companion).find((file) => existsSync(file));
  if (inTheWay !== undefined) {
    throw new CommandError(`${inTheWay} is there already; a backup overwrites nothing`);
  }
  try {
    await backUp(filename, copy);
  } catch (cause) {
    throw new CommandError(`cannot back up ${filename} into ${copy}: ${(cause as Error).message}`, 1);
  }
  console.log(`Backed up ${filename} into ${copy}`);
};
