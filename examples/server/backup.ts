import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { Refusal } from './refusal.ts';

// #region backup
/**
 * Copies the database of a file as it stands at this moment, while others read and write it.
 *
 * The copy is made within one read transaction: otherwise every commit of another process would begin it anew.
 */
export const backUp = async (filename: string, copy: string): Promise<void> => {
  const database = new Database(filename, { readonly: true, fileMustExist: true });
  try {
    database.exec('BEGIN');
    database.prepare('SELECT 1 FROM sqlite_schema').get();
    await database.backup(copy);
  } finally {
    database.close();
  }
};
// #endregion

/** What SQLite would take for a part of the copy, were it there. */
const companions = ['', '-wal', '-shm', '-journal'];

/** Backs the data up into a file that is not there yet, for whoever asked for it by a flag. Throws a `Refusal`. */
export const backUpInto = async (copy: string, filename: string): Promise<void> => {
  const inTheWay = companions.map((companion) => copy + companion).find((file) => existsSync(file));
  if (inTheWay !== undefined) {
    throw new Refusal(`${inTheWay} is there already; a backup overwrites nothing`);
  }
  try {
    await backUp(filename, copy);
  } catch (cause) {
    throw new Refusal(`cannot back up ${filename} into ${copy}: ${(cause as Error).message}`, 1);
  }
  console.log(`Backed up ${filename} into ${copy}`);
};
