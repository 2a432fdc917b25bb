import type { AuditQuery, StoredAuditEntry } from '@clinical-records/core/store';
import type { PostgresQuery } from '../postgres-pool.ts';

/** The queries of an audit log. */
export type AuditQueries = {
  /** The last entry, or the last one that was removed. */
  readonly head: PostgresQuery;
  /** The last entry that was removed. */
  readonly start: PostgresQuery;
  /** Make the entry at a position the start, and return whether there is one. */
  readonly moveStart: (position: number) => PostgresQuery;
  /** Removes what is before the start, and older starts. */
  readonly removeOld: readonly PostgresQuery[];
  readonly insert: (entries: readonly StoredAuditEntry[]) => PostgresQuery;
  readonly search: (query: AuditQuery) => PostgresQuery;
  readonly scan: (after: number, limit: number) => PostgresQuery;
};

const bigint = 20;

/** The host may have set other parsers for its own queries. */
const types = { getTypeParser: (type: number) => (type === bigint ? Number : String) };

const columns = 'position, at, by, patient_id as "patientId", access, digest';

const lastOf = (table: string): string =>
  `(select position, digest from ${table} order by position desc limit 1)`;

export const createAuditQueries = (table: string, startTable: string): AuditQueries => ({
  head: {
    text: `${lastOf(table)} union all ${lastOf(startTable)} order by position desc limit 1`,
    types,
  },
  start: { text: lastOf(startTable), types },
  moveStart: (position) => ({
    text: `insert into ${startTable} select position, digest from ${table} where position = $1::bigint returning position`,
    ...{ values: [position], types },
  }),
  removeOld: [
    { text: `delete from ${table} where position <= (select max(position) from ${startTable})` },
    { text: `delete from ${startTable} where position < (select max(position) from ${startTable})` },
  ],
  insert: (entries) => ({
    text: `insert into ${table} (position, at, by, patient_id, digest, access)
      select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[])`,
    values: (['position', 'at', 'by', 'patientId', 'digest', 'access'] as const).map((name) =>
      entries.map((entry) => entry[name]),
    ),
  }),
  search: ({ patientIds, users, from, until, before, count }) => {
    const values: unknown[] = [];
    const conditions = [
      { value: patientIds, sql: (at: number) => `patient_id = any($${at}::text[])` },
      { value: users, sql: (at: number) => `by = any($${at}::text[])` },
      { value: from, sql: (at: number) => `at >= $${at}::bigint` },
      { value: until, sql: (at: number) => `at < $${at}::bigint` },
      { value: before, sql: (at: number) => `position < $${at}::bigint` },
    ].flatMap(({ value, sql }) => (value === undefined ? [] : [sql(values.push(value))]));
    return {
      text: `select ${columns} from ${table} where ${['true', ...conditions].join(' and ')}
        order by position desc limit $${values.push(count)}::bigint`,
      ...{ values, types },
    };
  },
  scan: (after, limit) => ({
    text: `select ${columns} from ${table} where position > $1::bigint order by position limit $2::bigint`,
    ...{ values: [after, limit], types },
  }),
});
