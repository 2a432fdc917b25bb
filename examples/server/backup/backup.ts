import Database from 'better-sqlite3';

/**
 * Copies the database of a file as it is at this moment, while others read and write it.
 *
 * The copy is made within one read transaction. Otherwise every commit of another process would make it start again.
 */
export const backUp = async (filename: string, copy: string): Promise<void> => {
  const database = new Database(filename, { fileMustExist: true });
  try {
    database.exec('BEGIN');
    database.prepare('SELECT 1 FROM sqlite_schema').get();
    await database.backup(copy);
  } finally {
    database.close();
  }
};
