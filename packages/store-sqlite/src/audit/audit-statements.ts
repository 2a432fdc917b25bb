import type { AuditHead, StoredAuditEntry } from '@clinical-records/core/store';
import type { SqliteDatabase, SqliteStatement } from '../database.ts';

/** The columns of an entry, for statements that name the table `event`. */
export const entryColumns =
  'event.position, event.at, event."by", event.patient_id AS "patientId", event.access, event.digest';

/** Compiles a statement that returns positions and times as numbers, whatever the default of the handle is. */
export const prepareAuditStatement = (database: SqliteDatabase, sql: string): SqliteStatement => {
  const statement = database.prepare(sql);
  statement.safeIntegers(false);
  return statement;
};

/** The statements of an audit log, without those of its index. */
export type AuditStatements = {
  readonly readHead: () => AuditHead | undefined;
  readonly insert: (entry: StoredAuditEntry) => void;
  readonly scan: (after: number, limit: number) => readonly StoredAuditEntry[];
};

export const createAuditStatements = (database: SqliteDatabase, table: string): AuditStatements => {
  const head = prepareAuditStatement(
    database,
    `SELECT position, digest FROM ${table} ORDER BY position DESC LIMIT 1`,
  );
  const insertEntry = prepareAuditStatement(
    database,
    `INSERT INTO ${table} (position, at, "by", patient_id, digest, access) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const scanEntries = prepareAuditStatement(
    database,
    `SELECT ${entryColumns} FROM ${table} AS event WHERE position > ? ORDER BY position LIMIT ?`,
  );
  return {
    readHead: () => head.get() as AuditHead | undefined,
    insert: ({ position, at, by, patientId, digest, access }) => {
      insertEntry.run(position, at, by, patientId, digest, access);
    },
    scan: (after, limit) => scanEntries.all(after, limit) as StoredAuditEntry[],
  };
};
