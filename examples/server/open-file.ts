import type { ClinicalStore } from '@clinical-records/core/store';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { requireCreatable } from './command-error.ts';
import { type FileLocation, isInMemory } from './data-location.ts';
import { hasFile } from './find-file.ts';
import { openError } from './open-error.ts';
import { isUnusable } from './sqlite-codes.ts';

/**
 * Opens a file, which is created if it does not exist. Throws a `CommandError` if it is not a database of the server, or
 * cannot be written.
 */
export const openFile = (location: FileLocation): ClinicalStore => {
  const { filename } = location;
  if (!isInMemory(location) && !hasFile(filename)) requireCreatable(filename);
  try {
    return openSqliteStore({ filename });
  } catch (cause) {
    throw openError(filename, cause, isUnusable(cause) ? 'data' : 'usage');
  }
};
