import { type ClinicalRecords, ClinicalRecordsError, createClinicalRecords } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { CommandError } from './command-error.ts';
import { careTeamRoles, extensionBase } from './settings.ts';
import { isUnusable } from './sqlite-codes.ts';

const openStore = (filename: string) => {
  try {
    return openSqliteStore({ filename });
  } catch (cause) {
    const [reason = ''] = (cause as Error).message.split('\n');
    throw new CommandError(`cannot open ${filename}: ${reason}`, isUnusable(cause) ? 1 : 2);
  }
};

const closeStore = async (store: ReturnType<typeof openStore>): Promise<void> => {
  try {
    await store.close();
  } catch (cause) {
    throw new CommandError(`the file could not be closed: ${(cause as Error).message}`, 1);
  }
};

/** A failing store becomes a `CommandError`; any other error is returned unchanged. */
const errorOf = (filename: string, cause: unknown): unknown => {
  if (!(cause instanceof ClinicalRecordsError) || cause.error._tag !== 'StoreFailure') return cause;
  const { message } = cause.error.cause;
  return new CommandError(`cannot use ${filename}: ${message}`, 1);
};

/**
 * Opens a file, passes its records to `use`, and closes the file. Throws a `CommandError` if the file is not a database
 * of the server, cannot be written, or fails.
 */
export const useRecords = async <Result>(
  filename: string,
  use: (records: ClinicalRecords) => Promise<Result>,
  options: { readonly clock?: () => Date } = {},
): Promise<Result> => {
  const store = openStore(filename);
  try {
    return await use(createClinicalRecords({ store, extensionBase, careTeamRoles, ...options }));
  } catch (cause) {
    throw errorOf(filename, cause);
  } finally {
    await closeStore(store);
  }
};
