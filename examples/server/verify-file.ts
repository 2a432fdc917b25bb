import { createClinicalRecords } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import { CommandError } from './command-error.ts';
import { formatList, printVerification } from './print-verification.ts';
import { careTeamRoles, extensionBase } from './settings.ts';
import { isSqliteDamage } from './sqlite-codes.ts';

/** The damage that SQLite finds in a file, as far as it can read it. Throws if it cannot read anything. */
const findDamage = (database: Database.Database): readonly string[] => {
  const found: string[] = [];
  try {
    for (const text of database.prepare<[], string>('PRAGMA integrity_check').pluck().iterate()) {
      if (text !== 'ok') found.push(text);
    }
    const dangling = database.prepare('PRAGMA foreign_key_check').all().length;
    if (dangling > 0) found.push(`rows that refer to a missing row: ${dangling}`);
  } catch (cause) {
    if (!isSqliteDamage(cause)) throw cause;
    found.push((cause as Error).message);
  }
  return found;
};

/** Checks a file without changing it, and prints what is wrong. Returns whether there is nothing. */
const checkFile = async (database: Database.Database, keptHead: string | undefined): Promise<boolean> => {
  const damages = findDamage(database);
  console.log(formatList('damages of the file', damages).join('\n'));
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'records'").get();
  if (damages.length === 0 && table === undefined) throw new Error('there are no records in it');
  const store = openSqliteStore({ database });
  const records = createClinicalRecords({ store, extensionBase, careTeamRoles });
  return (await printVerification(records, keptHead)) && damages.length === 0;
};

/** Verifies the data for a command-line flag. Throws a `CommandError` if there are issues. */
export const verifyFile = async (filename: string, keptHead?: string): Promise<void> => {
  let database: Database.Database | undefined;
  let sound: boolean;
  try {
    database = new Database(filename, { fileMustExist: true });
    database.pragma('query_only = ON');
    sound = await checkFile(database, keptHead);
  } catch (cause) {
    throw new CommandError(`cannot verify ${filename}: ${(cause as Error).message}`, 1);
  } finally {
    database?.close();
  }
  if (!sound) throw new CommandError(`${filename} is not as it should be`, 1);
};
