import { createClinicalRecords, type Discrepancy, orThrow } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import { Refusal } from './refusal.ts';
import { careTeamRoles, extensionBase } from './settings.ts';

/** What SQLite itself finds wrong with a file. */
const damagesIn = (database: Database.Database): readonly string[] => {
  const found = database.prepare('PRAGMA integrity_check').pluck().all() as readonly string[];
  const dangling = database.prepare('PRAGMA foreign_key_check').all().length;
  return [
    ...found.filter((text) => text !== 'ok'),
    ...(dangling === 0 ? [] : [`rows that refer to none: ${dangling}`]),
  ];
};

const sentence = ({ type, id, version, what }: Discrepancy): string =>
  `${type}/${id}, version ${version}: the ${what} is not what derives from its state`;

const listed = (title: string, lines: readonly string[]): readonly string[] => [
  `${title}: ${lines.length === 0 ? 'none' : lines.length}`,
  ...lines.map((line) => `  ${line}`),
];

/** Looks through a file, changes nothing in it, and prints what is amiss; answers whether nothing is. */
const isSound = async (database: Database.Database): Promise<boolean> => {
  const damages = damagesIn(database);
  const store = openSqliteStore({ database });
  const records = createClinicalRecords({ store, extensionBase, careTeamRoles });
  const { records: count, discrepancies } = await orThrow(records.verify());
  const lines = [
    `records: ${count}`,
    ...listed('damages of the file', damages),
    ...listed('discrepancies', discrepancies.map(sentence)),
  ];
  console.log(lines.join('\n'));
  return damages.length + discrepancies.length === 0;
};

/** Verifies the data, for whoever asked for it by a flag. Throws a `Refusal` where something is amiss. */
export const verifyFile = async (filename: string): Promise<void> => {
  let database: Database.Database | undefined;
  let sound: boolean;
  try {
    database = new Database(filename, { fileMustExist: true });
    database.pragma('query_only = ON');
    sound = await isSound(database);
  } catch (cause) {
    throw new Refusal(`cannot verify ${filename}: ${(cause as Error).message}`, 1);
  } finally {
    database?.close();
  }
  if (!sound) throw new Refusal(`${filename} is not as it should be`, 1);
};
