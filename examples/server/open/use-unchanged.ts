import type { AnyClinicalRecords } from '@clinical-records/core';
import type { ClinicalStore } from '@clinical-records/core/store';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import type { DataLocation } from './data-location.ts';
import { openDatabase } from './open-database.ts';
import { openError } from './open-error.ts';
import { createServerRecords } from './use-records.ts';

const openExisting = (filename: string): Database.Database => {
  try {
    return new Database(filename, { fileMustExist: true });
  } catch (cause) {
    throw openError(filename, cause);
  }
};

/** Does work on a file without changing it. Throws a `CommandError` if it cannot be opened. */
export const useUnchangedFile = async <Result>(
  filename: string,
  use: (database: Database.Database) => Promise<Result>,
): Promise<Result> => {
  const database = openExisting(filename);
  try {
    database.pragma('query_only = ON');
    return await use(database);
  } finally {
    database.close();
  }
};

const useStore = async <Result>(
  store: ClinicalStore,
  use: (records: AnyClinicalRecords) => Promise<Result>,
): Promise<Result> => {
  try {
    return await use(createServerRecords(store));
  } finally {
    await store.close();
  }
};

/** Does work on the records of a location without changing them. Throws if they cannot be opened. */
export const useUnchanged = async <Result>(
  location: DataLocation,
  use: (records: AnyClinicalRecords) => Promise<Result>,
): Promise<Result> =>
  location._tag === 'File'
    ? useUnchangedFile(location.filename, (database) => useStore(openSqliteStore({ database }), use))
    : useStore(await openDatabase(location, { isReadOnly: true }), use);
