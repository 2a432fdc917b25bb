import type { AuditQuery, StoredAuditEntry } from '@clinical-records/core/store';
import type { PostgresClient, PostgresQuery } from '../postgres-pool.ts';
import { quoteName } from '../schema.ts';
import { hasSchema } from '../tables/migrate.ts';
import { inOwnTransaction } from '../transaction.ts';

/** The full name of the table of a schema. */
export const auditTableOf = (schema: string): string => `${quoteName(schema)}.audit_events`;

/** The full name of the table of the last entry that was removed. */
export const auditStartTableOf = (schema: string): string => `${quoteName(schema)}.audit_start`;

/** Locks the end of a tenant's log, or the creation of the table, until the end of the transaction. */
export const lockAuditLog = (schema: string, tenant: number | '' = ''): PostgresQuery => ({
  text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
  values: [`clinical-records audit ${schema} ${tenant}`],
});

const createSchemaText = (schema: string): string => `create schema if not exists ${quoteName(schema)}`;

/** A function of a trigger. A name in the body may have any characters, so the body is a text with doubled quotes. */
const createTriggerFunction = (name: string, body: string): string =>
  `create function ${name}() returns trigger language plpgsql as '${body.replaceAll("'", "''")}'`;

const tableStatements = (schema: string): readonly string[] => {
  const table = auditTableOf(schema);
  const refuseChange = `${quoteName(schema)}.refuse_audit_change`;
  const requireEnd = `${quoteName(schema)}.require_audit_end`;
  const start = auditStartTableOf(schema);
  const refuseRemoval = `${quoteName(schema)}.refuse_audit_removal`;
  const requireEntry = `${quoteName(schema)}.require_audit_entry`;
  return [
    `create table ${table} (
      tenant integer not null,
      position bigint not null,
      at bigint not null,
      by text collate "C",
      patient_id text collate "C",
      digest text collate "C" not null,
      access text not null,
      primary key (tenant, position)
    )`,
    `create index audit_events_by_patient on ${table} (tenant, patient_id, position) where patient_id is not null`,
    `create index audit_events_by_user on ${table} (tenant, by, position) where by is not null`,
    createTriggerFunction(refuseChange, `begin raise exception 'An audit log is never changed.'; end`),
    `create table ${start} (
      tenant integer not null,
      position bigint not null,
      digest text collate "C" not null,
      primary key (tenant, position)
    )`,
    ...[table, start].map(
      (changed) => `create trigger append_only before update or truncate on ${changed}
        for each statement execute function ${refuseChange}()`,
    ),
    createTriggerFunction(
      refuseRemoval,
      `begin
        if exists (
          select from removed
          where position > coalesce((select max(position) from ${start} as start where start.tenant = removed.tenant), 0)
        ) then raise exception 'An audit log is never changed.'; end if;
        return null;
      end`,
    ),
    `create trigger only_before_start after delete on ${table} referencing old table as removed
      for each statement execute function ${refuseRemoval}()`,
    `create trigger last_stays after delete on ${start} referencing old table as removed
      for each statement execute function ${refuseRemoval}()`,
    createTriggerFunction(
      requireEntry,
      `begin
        if not exists (
          select from ${table} where tenant = new.tenant and position = new.position and digest = new.digest
        ) then raise exception 'An audit log begins after one of its entries.'; end if;
        return new;
      end`,
    ),
    `create trigger only_entries before insert on ${start} for each row execute function ${requireEntry}()`,
    createTriggerFunction(
      requireEnd,
      `begin
        if exists (
          select from (
            select tenant, min(position) - 1 as before, min(position) - 1 + count(*) as last from added group by tenant
          ) as ends
          where before <> greatest(
              (select max(position) from ${table} as log where log.tenant = ends.tenant and position <= before),
              (select max(position) from ${start} as start where start.tenant = ends.tenant),
              0
            )
            or last <> (select max(position) from ${table} as log where log.tenant = ends.tenant)
        ) then raise exception 'An audit log is only appended to.'; end if;
        return null;
      end`,
    ),
    `create trigger only_at_end after insert on ${table} referencing new table as added
      for each statement execute function ${requireEnd}()`,
  ];
};

/** The SQL of the table, for a database whose owner runs it by hand. */
export const formatAuditTable = (schema: string): string =>
  ['begin', createSchemaText(schema), ...tableStatements(schema), 'commit']
    .map((statement) => `${statement};\n`)
    .join('');

const hasTable = async (client: PostgresClient, schema: string): Promise<boolean> => {
  const text = "select from pg_catalog.pg_tables where schemaname = $1 and tablename = 'audit_events'";
  return (await client.query({ text, values: [schema] })).rows.length > 0;
};

/** Creates the table of an audit log beside the others of a schema, unless it exists. Processes that start together take turns. */
export const createAuditTable = async (client: PostgresClient, schema: string): Promise<void> => {
  if (await hasTable(client, schema)) return;
  await inOwnTransaction(client, async () => {
    await client.query(lockAuditLog(schema));
    // Another process may have been faster.
    if (await hasTable(client, schema)) return;
    if (!(await hasSchema(client, { schema }))) await client.query({ text: createSchemaText(schema) });
    for (const text of tableStatements(schema)) await client.query({ text });
  });
};

type AuditQueries = {
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

const isOwn = 'tenant = $1::integer';

const lastOf = (table: string): string =>
  `(select position, digest from ${table} where ${isOwn} order by position desc limit 1)`;

/** The queries of the log of a tenant, whose number is their first value. */
export const createAuditQueries = (table: string, startTable: string, tenant: number): AuditQueries => ({
  head: {
    text: `${lastOf(table)} union all ${lastOf(startTable)} order by position desc limit 1`,
    values: [tenant],
    types,
  },
  start: { text: lastOf(startTable), values: [tenant], types },
  moveStart: (position) => ({
    text: `insert into ${startTable} select tenant, position, digest from ${table}
      where ${isOwn} and position = $2::bigint returning position`,
    values: [tenant, position],
    types,
  }),
  removeOld: [
    [table, '<='],
    [startTable, '<'],
  ].map(([from, operator]) => ({
    text: `delete from ${from}
      where ${isOwn} and position ${operator} (select max(position) from ${startTable} where ${isOwn})`,
    values: [tenant],
  })),
  insert: (entries) => ({
    text: `insert into ${table} (tenant, position, at, by, patient_id, digest, access)
      select $1::integer, * from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[])`,
    values: [
      tenant,
      entries.map(({ position }) => position),
      entries.map(({ at }) => at),
      entries.map(({ by }) => by),
      entries.map(({ patientId }) => patientId),
      entries.map(({ digest }) => digest),
      entries.map(({ access }) => access),
    ],
  }),
  search: ({ patientIds, users, from, until, before, count }) => {
    const values: unknown[] = [tenant];
    const conditions = [
      { value: patientIds, sql: (index: number) => `patient_id = any($${index}::text[])` },
      { value: users, sql: (index: number) => `by = any($${index}::text[])` },
      { value: from, sql: (index: number) => `at >= $${index}::bigint` },
      { value: until, sql: (index: number) => `at < $${index}::bigint` },
      { value: before, sql: (index: number) => `position < $${index}::bigint` },
    ].flatMap(({ value, sql }) => (value === undefined ? [] : [sql(values.push(value))]));
    return {
      text: `select ${columns} from ${table} where ${[isOwn, ...conditions].join(' and ')}
        order by position desc limit $${values.push(count)}::bigint`,
      values,
      types,
    };
  },
  scan: (after, limit) => ({
    text: `select ${columns} from ${table} where ${isOwn} and position > $2::bigint
      order by position limit $3::bigint`,
    values: [tenant, after, limit],
    types,
  }),
});
