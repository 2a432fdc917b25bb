import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { sql } from 'kysely';
import type { SqliteDatabase } from '../database.ts';
import { driverOf } from '../driver.ts';
import type { QueryBuilder } from '../schema.ts';
import { prepareStatement } from '../statement.ts';

/** The digest of the last commit, which is linked to everything before it; undefined if there is none. */
const readHead = (database: SqliteDatabase, db: QueryBuilder): string | undefined =>
  prepareStatement(database, () =>
    db
      .selectFrom('records')
      .select('digest')
      .orderBy(sql`coalesce(${sql.ref('committed')}, ${sql.ref('position')})`, 'desc')
      .limit(1),
  ).first(null)?.digest;

const syncFile = (name: string): void => {
  const file = openSync(name, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/**
 * Copies the database of a handle to a new file with `VACUUM INTO`, on a handle of its own. The first one may have a transaction open
 * that has not changed anything, which keeps others from writing. A copy of the same commits that exists is kept: it is that of a
 * migration that was interrupted. Throws if there is another file.
 */
export const backUp = (database: SqliteDatabase, db: QueryBuilder, backupTo: string): void => {
  const { name = '', memory = false } = database;
  const driver = driverOf(database);
  if (memory || driver === null)
    throw new Error('backupTo needs a database in a file, on a handle of better-sqlite3 or node:sqlite.');
  const withFile = <A>(filename: string, work: (file: SqliteDatabase) => A): A => {
    const file = driver.open(filename, { readonly: true });
    try {
      return work(file);
    } finally {
      file.close();
    }
  };

  const isCopy = (): boolean => {
    try {
      return withFile(backupTo, (file) => readHead(file, db)) === readHead(database, db);
    } catch {
      return false;
    }
  };
  if (existsSync(backupTo)) {
    if (isCopy()) return;
    throw new Error(
      `backupTo names ${backupTo}, which exists and is not a copy of this database as it is now. Name a file that does not exist.`,
    );
  }
  // A copy has its name only once it is complete.
  const partial = `${backupTo}.partial`;
  rmSync(partial, { force: true });
  withFile(name, (file) => file.prepare('VACUUM INTO ?').run(partial));
  syncFile(partial);
  renameSync(partial, backupTo);
};
