import Database from 'better-sqlite3';
import type { SqliteDatabase } from './database.ts';

/** A handle that reads the database as it was when the handle was opened. */
export type Snapshot = { readonly database: SqliteDatabase; readonly close: () => void };

/** The file of a handle; empty if there is none. */
const findFileName = (database: SqliteDatabase): string => {
  const row = database.prepare(`select file from pragma_database_list where name = 'main'`).get();
  return (row as { readonly file: string | null } | undefined)?.file ?? '';
};

/**
 * Opens the file of a handle again, only to read; null where that cannot be done beside the handle. None of the file is mapped:
 * to unmap a large one when the handle is closed would take tens of milliseconds.
 *
 * A file without a log (WAL) could not be written while it is read. And where the handle is not of the same library, there may be
 * another copy of SQLite in the process, and to close the file here would take its locks away.
 */
export const openSnapshot = (database: SqliteDatabase): Snapshot | null => {
  if (!(database instanceof Database)) return null;
  const filename = findFileName(database);
  if (filename === '') return null;
  const handle = new Database(filename, { readonly: true, fileMustExist: true });
  try {
    if (handle.pragma('journal_mode', { simple: true }) === 'wal') {
      handle.exec('begin');
      return { database: handle, close: () => handle.close() };
    }
  } catch (cause) {
    handle.close();
    throw cause;
  }
  handle.close();
  return null;
};
