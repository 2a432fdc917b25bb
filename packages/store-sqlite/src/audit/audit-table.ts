import type { SqliteDatabase } from '../database.ts';

/** The table that finds the entries of a patient and of a user in a block of entries. */
export const indexTableOf = (table: string): string => `${table}_index`;

const refuseChanges = (table: string): readonly string[] =>
  ['update', 'delete'].map(
    (change) => `CREATE TRIGGER IF NOT EXISTS ${table}_no_${change} BEFORE ${change} ON ${table}
      BEGIN SELECT RAISE(ABORT, 'An audit log is never changed.'); END`,
  );

const schemaOf = (table: string): readonly string[] => [
  `CREATE TABLE IF NOT EXISTS ${table} (
    position INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    "by" TEXT,
    patient_id TEXT,
    digest TEXT NOT NULL,
    access TEXT NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS ${indexTableOf(table)} (
    block INTEGER NOT NULL,
    parameter TEXT NOT NULL,
    value TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (block, parameter, value, position)
  ) WITHOUT ROWID`,
  ...refuseChanges(indexTableOf(table)),
  ...refuseChanges(table),
  // An INSERT OR REPLACE would delete a row without the triggers above.
  `CREATE TRIGGER IF NOT EXISTS ${table}_append_only BEFORE INSERT ON ${table}
    WHEN NEW.position IS NOT (SELECT coalesce(max(position), 0) + 1 FROM ${table})
    BEGIN SELECT RAISE(ABORT, 'An audit log is only appended to.'); END`,
];

const hasTable = (database: SqliteDatabase, table: string): boolean =>
  database
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND name = ?")
    .get(`${table}_append_only`) !== undefined;

/**
 * Creates the table of an audit log beside the others, unless it exists. Throws if the host has a transaction open, because
 * the table would be rolled back with it.
 */
export const createAuditTable = (database: SqliteDatabase, table: string): void => {
  if (hasTable(database, table)) return;
  if (database.inTransaction) {
    throw new Error(
      'A transaction is open on this connection. Open the audit store before beginning one, or its table would be rolled back with it.',
    );
  }
  const create = database.transaction((statements: readonly string[]) => {
    for (const statement of statements) database.prepare(statement).run();
  });
  create.immediate(schemaOf(table));
};
