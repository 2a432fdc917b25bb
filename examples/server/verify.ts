import { createClinicalRecords, type Discrepancy } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import { CommandError } from './command-error.ts';
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

const sentences: Readonly<Record<Discrepancy['what'], string>> = {
  digest: 'it was changed or moved, or a version before it is missing',
  position: 'its position is that of one before it',
  order: 'it does not stand where it was created',
  type: 'the type is not one of this library',
  state: 'nothing derives from its state',
  id: 'the id is not what derives from its state',
  patientId: 'the patientId is not what derives from its state',
  resource: 'the resource is not what derives from its state',
  index: 'the index is not what derives from its state',
  reference: 'it refers to a record that does not exist',
  team: 'a member stands twice in the care team',
};

const sentenceOf = ({ type, id, version, what }: Discrepancy): string =>
  `${type}/${id}, version ${version}: ${sentences[what]}`;

const formatList = (title: string, lines: readonly string[]): readonly string[] => [
  `${title}: ${lines.length === 0 ? 'none' : lines.length}`,
  ...lines.map((line) => `  ${line}`),
];

/**
 * Checks a file without changing it, and prints the issues and the head to keep. Returns whether there are no issues.
 * The head of an earlier check shows whether the newest versions were cut off since.
 */
const printVerification = async (
  database: Database.Database,
  keptHead: string | undefined,
): Promise<boolean> => {
  const damages = findDamage(database);
  console.log(formatList('damages of the file', damages).join('\n'));
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'records'").get();
  if (damages.length === 0 && table === undefined) throw new Error('there are no records in it');
  const store = openSqliteStore({ database });
  const records = createClinicalRecords({ store, extensionBase, careTeamRoles });
  const verification = await records.verify({ head: keptHead });
  const found = [
    ...(verification.isHeadMissing ? ['the head that was given is not in the file'] : []),
    ...verification.discrepancies.map(sentenceOf),
    ...verification.miscounted.map((type) => `${type}: a search reports another total than there are`),
  ];
  const { records: count, versions, head } = verification;
  console.log(
    [
      ...formatList('discrepancies', found),
      `records: ${count}`,
      `versions: ${versions}`,
      `head: ${head}`,
    ].join('\n'),
  );
  return damages.length + found.length === 0;
};

/** Verifies the data for a command-line flag. Throws a `CommandError` if there are issues. */
export const verifyFile = async (filename: string, keptHead?: string): Promise<void> => {
  let database: Database.Database | undefined;
  let sound: boolean;
  try {
    database = new Database(filename, { fileMustExist: true });
    database.pragma('query_only = ON');
    sound = await printVerification(database, keptHead);
  } catch (cause) {
    throw new CommandError(`cannot verify ${filename}: ${(cause as Error).message}`, 1);
  } finally {
    database?.close();
  }
  if (!sound) throw new CommandError(`${filename} is not as it should be`, 1);
};
