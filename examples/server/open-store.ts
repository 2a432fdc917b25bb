import { ClinicalRecordsError, type OpenStore } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { CommandError } from './command-error.ts';
import { isUnusable } from './sqlite-codes.ts';

/**
 * Opens the store in a file. Throws a `CommandError` if the file is not a database of the server or cannot be written.
 */
export const openStore = (filename: string): OpenStore => {
  try {
    return openSqliteStore({ filename });
  } catch (cause) {
    const [reason = ''] = (cause as Error).message.split('\n');
    throw new CommandError(`cannot open ${filename}: ${reason}`, isUnusable(cause) ? 1 : 2);
  }
};

export const closeStore = async (store: OpenStore): Promise<void> => {
  try {
    await store.close();
  } catch (cause) {
    throw new CommandError(`the file could not be closed: ${(cause as Error).message}`, 1);
  }
};

/**
 * The error before the server listens. A failing store becomes a `CommandError`; any other error is returned unchanged.
 */
export const startupErrorOf = (filename: string, cause: unknown): unknown => {
  if (!(cause instanceof ClinicalRecordsError) || cause.error._tag !== 'StoreFailure') return cause;
  const { message } = cause.error.cause;
  return new CommandError(`cannot use ${filename}: ${message}`, 1);
};
