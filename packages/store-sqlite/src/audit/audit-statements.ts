import type { AuditHead, AuditQuery, StoredAuditEntry } from '@clinical-records/core/store';
import type { SqliteDatabase, SqliteStatement } from '../database.ts';

/** The statements of an audit log. */
export type AuditStatements = {
  readonly readHead: () => AuditHead | undefined;
  readonly insert: (entry: StoredAuditEntry) => void;
  readonly search: (query: AuditQuery) => readonly StoredAuditEntry[];
  readonly scan: (after: number, limit: number) => readonly StoredAuditEntry[];
};

const columns = 'position, at, "by", patient_id AS "patientId", access, digest';

const listOf = (values: readonly string[]): string => values.map(() => '?').join(', ');

/** The conditions of a query, each with its values. */
const conditionsOf = ({ patientIds, users, from, until, before }: AuditQuery) =>
  [
    { sql: `patient_id IN (${listOf(patientIds ?? [])})`, values: patientIds },
    { sql: `"by" IN (${listOf(users ?? [])})`, values: users },
    { sql: 'at >= ?', values: from === undefined ? undefined : [from] },
    { sql: 'at < ?', values: until === undefined ? undefined : [until] },
    { sql: 'position < ?', values: before === undefined ? undefined : [before] },
  ].flatMap(({ sql, values }) => (values === undefined ? [] : [{ sql, values }]));

export const createAuditStatements = (database: SqliteDatabase, table: string): AuditStatements => {
  const prepare = (sql: string): SqliteStatement => {
    const statement = database.prepare(sql);
    statement.safeIntegers(false);
    return statement;
  };
  const head = prepare(`SELECT position, digest FROM ${table} ORDER BY position DESC LIMIT 1`);
  const insertEntry = prepare(
    `INSERT INTO ${table} (position, at, "by", patient_id, digest, access) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const scanEntries = prepare(`SELECT ${columns} FROM ${table} WHERE position > ? ORDER BY position LIMIT ?`);
  return {
    readHead: () => head.get() as AuditHead | undefined,
    insert: ({ position, at, by, patientId, digest, access }) => {
      insertEntry.run(position, at, by, patientId, digest, access);
    },
    search: (query) => {
      const conditions = conditionsOf(query);
      const where = ['1', ...conditions.map(({ sql }) => sql)].join(' AND ');
      return prepare(`SELECT ${columns} FROM ${table} WHERE ${where} ORDER BY position DESC LIMIT ?`).all(
        ...conditions.flatMap(({ values }): readonly unknown[] => values),
        query.count,
      ) as StoredAuditEntry[];
    },
    scan: (after, limit) => scanEntries.all(after, limit) as StoredAuditEntry[],
  };
};
