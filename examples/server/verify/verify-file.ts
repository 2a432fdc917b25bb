import type { Verification } from '@clinical-records/core';
import type Database from 'better-sqlite3';
import { CommandError } from '../command/command-error.ts';
import { isPathError, openError } from '../open/open-error.ts';
import { isSqliteDamage } from '../open/sqlite-codes.ts';
import { useUnchanged, useUnchangedFile } from '../open/use-unchanged.ts';
import { formatList, printVerification } from './print-verification.ts';

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

/** Checks a file without changing it, and prints what is wrong. Returns the result; null if there are issues. */
const checkFile = (filename: string, keptHead: string | undefined): Promise<Verification | null> =>
  useUnchangedFile(filename, async (database) => {
    const damages = findDamage(database);
    console.log(formatList('damages of the file', damages).join('\n'));
    const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'records'").get();
    if (damages.length === 0 && table === undefined) throw new Error('there are no records in it');
    const verification = await useUnchanged({ _tag: 'File', filename }, (records) =>
      printVerification(records, keptHead),
    );
    return damages.length === 0 ? verification : null;
  });

/** Verifies a file without changing it, and returns the result. Throws a `CommandError` if there are issues. */
export const verifyFile = async (filename: string, keptHead?: string): Promise<Verification> => {
  let verification: Verification | null;
  try {
    verification = await checkFile(filename, keptHead);
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw isPathError(cause)
      ? openError(filename, cause)
      : new CommandError(`cannot verify ${filename}: ${(cause as Error).message}`, 'data');
  }
  if (verification === null) throw new CommandError(`${filename} is not as it should be`, 'data');
  return verification;
};
