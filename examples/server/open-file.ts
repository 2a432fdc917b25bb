import type { OpenStore } from '@clinical-records/core/store';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { CommandError } from './command-error.ts';
import { isUnusable } from './sqlite-codes.ts';

/** Opens a file. Throws a `CommandError` if it is not a database of the server, or cannot be written. */
export const openFile = (filename: string): OpenStore => {
  try {
    return openSqliteStore({ filename });
  } catch (cause) {
    const [reason = ''] = (cause as Error).message.split('\n');
    throw new CommandError(`cannot open ${filename}: ${reason}`, isUnusable(cause) ? 'data' : 'usage');
  }
};
