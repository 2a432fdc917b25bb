import { access, constants } from 'node:fs/promises';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { requireCreatable } from '../command/command-error.ts';
import type { ServedStore } from '../web/health.ts';
import { type FileLocation, isInMemory } from './data-location.ts';
import { hasFile } from './find-file.ts';
import { openError } from './open-error.ts';
import { isUnusable } from './sqlite-codes.ts';

/** Whether a file cannot be written, such as after its file system was mounted again because of an error. */
const isReadOnly = (filename: string): Promise<boolean> =>
  access(filename, constants.W_OK).then(
    () => false,
    () => true,
  );

/**
 * Opens a file, which is created if it does not exist. Throws a `CommandError` if it is not a database of the server, or
 * cannot be written.
 */
export const openFile = (location: FileLocation): ServedStore => {
  const { filename } = location;
  if (!isInMemory(location) && !hasFile(filename)) requireCreatable(filename);
  try {
    const store = openSqliteStore({ filename });
    return isInMemory(location) ? store : Object.assign(store, { isReadOnly: () => isReadOnly(filename) });
  } catch (cause) {
    throw openError(filename, cause, isUnusable(cause) ? 'data' : 'usage');
  }
};
