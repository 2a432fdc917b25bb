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
 * Opens the file of a handle again, read-only. Returns null if that is not safe beside the handle.
 *
 * The file is not memory-mapped, because unmapping a large file would take tens of milliseconds when the handle is
 * closed. A file without a log (WAL) could not be written while it is read. If the handle is from another library, the
 * process may have another copy of SQLite. Closing the file here would then release the locks of that copy.
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
