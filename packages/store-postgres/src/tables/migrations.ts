import { type RawBuilder, sql } from 'kysely';
import { createWriteFunction } from '../host/write-function.ts';
import { longestShortDate, relationName } from '../schema.ts';
import { firstTenant, type QueryBuilder } from '../statement.ts';
import { createComments } from './comments.ts';
import { createEraseFunction } from './erase-function.ts';
import type { LaterIndex } from './later-index.ts';
import { createPlaceFunctions } from './place-function.ts';

/** How the tables are laid out when they are created. */
export type Layout = {
  /** The number of partitions of the large tables; 0 for tables in one piece. */
  readonly partitions: number;
  /** Whether Citus distributes the tables by tenant. */
  readonly isDistributed: boolean;
};

type MigrationStatements = (builder: QueryBuilder, layout: Layout) => readonly RawBuilder<unknown>[];

/** One step of the schema. */
export type Migration = MigrationStatements | LaterIndex;

/** The tables with the rows of tenants, in the order in which those of one are deleted: the end of its feed is locked first. */
export const tenantTables = [
  'head',
  'host_transactions',
  'indexed_parameters',
  'counts',
  'dates',
  'entries',
  'searchable',
  'terms',
  'records',
  'versions',
] as const;

/** The tables that a layout can divide by tenant. */
export const dividedTables = ['versions', 'searchable', 'entries', 'dates'] as const;

type DividedTable = (typeof dividedTables)[number];

/**
 * When autovacuum takes the first statistics of a table. With those of fewer rows, PostgreSQL plans to read whole tables, and each
 * connection keeps such a plan until the next ones, however fast the clinic grows. Without any, it uses the indexes.
 */
const firstStatistics = 'autovacuum_vacuum_threshold = 1000, autovacuum_analyze_threshold = 1000';

/**
 * How a table is stored. A row up to a page long is neither compressed nor moved elsewhere, because both cost more than
 * they save. Tables that are only appended to are vacuumed for their visibility maps, by which counts read indexes only.
 */
const storage: Record<DividedTable, string> = {
  versions: 'toast_tuple_target = 8160, autovacuum_vacuum_insert_scale_factor = 0.05',
  searchable:
    'toast_tuple_target = 8160, fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02',
  entries: 'autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02',
  dates: 'autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02',
};

const createDividedTable = (
  { schema, table }: QueryBuilder,
  { partitions }: Layout,
  name: DividedTable,
  columns: RawBuilder<unknown>,
): readonly RawBuilder<unknown>[] => {
  const options = sql.raw(`${storage[name]}, ${firstStatistics}`);
  if (partitions === 0) return [sql`create table ${table(name)} (${columns}) with (${options})`];
  return [
    sql`create table ${table(name)} (${columns}) partition by hash (tenant)`,
    ...Array.from(
      { length: partitions },
      (_, remainder) =>
        sql`create table ${sql.id(schema, `${name}_${remainder}`)} partition of ${table(name)} for values with (modulus ${sql.lit(partitions)}, remainder ${sql.lit(remainder)}) with (${options})`,
    ),
  ];
};

/** Adds a tenant with an empty feed. Its number comes from no sequence, because a replica has the rows without the sequence. */
export const insertTenant = ({ table }: QueryBuilder, name: RawBuilder<unknown>) => sql`
  with created as (
    insert into ${table('tenants')} (tenant, name)
    select coalesce(max(tenant) + 1, 0), ${name} from ${table('tenants')}
    returning tenant
  )
  insert into ${table('head')} (tenant) select tenant from created`;

/** Texts are equal only if all of their characters are, and are compared by their bytes. */
const text = sql`text collate "C"`;

/** A text that is not JSON is refused, with the reason. As `json`, it would be decoded for each row that is read. */
const jsonText = sql`${text} check (resource is null or resource::json is not null)`;

/**
 * The function that finds the number of a tenant by its name: the only way for a user to whom PostgreSQL shows the rows of one tenant,
 * before that tenant is known. It names no other tenant.
 */
const createTenantNumber: MigrationStatements = ({ db, schema, table }, { isDistributed }) => {
  const find = sql`select tenant from ${table('tenants')} where tenants.name = named and removed is null`;
  const body = isDistributed
    ? sql`language plpgsql stable set search_path = pg_catalog, pg_temp
        as ${sql.lit(`begin return (${find.compile(db).sql}); end`)}`
    : sql`language sql stable security definer set search_path = pg_catalog, pg_temp begin atomic ${find}; end`;
  return [sql`create function ${sql.id(schema, 'tenant_number')}(named text) returns integer ${body}`];
};

const createRecordTables: MigrationStatements = (builder, layout) => {
  const { table } = builder;
  return [
    sql`create table ${table('tenants')} (
      tenant integer primary key,
      name ${text} not null,
      removed timestamptz
    ) with (${sql.raw(firstStatistics)})`,
    sql`create unique index tenants_by_name on ${table('tenants')} (name) where removed is null`,
    sql`create table ${table('head')} (
      tenant integer primary key references ${table('tenants')},
      position bigint not null default 0,
      digest ${text} not null default '',
      fence bigint not null default 0,
      read_only boolean not null default false
    ) with (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0)`,
    insertTenant(builder, sql.lit(firstTenant)),
    // The positions of versions in a transaction of the host, until it ends.
    sql`create sequence ${sql.id(builder.schema, 'provisional_positions')} start with ${sql.lit(2 ** 52)} maxvalue ${sql.lit(Number.MAX_SAFE_INTEGER)}`,
    sql`create table ${table('records')} (
      type ${text} not null,
      id ${text} not null,
      patient_id ${text} not null,
      position bigint not null,
      current bigint not null,
      version integer not null,
      tenant integer not null,
      primary key (tenant, id, type)
    ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, ${sql.raw(firstStatistics)})`,
    ...createDividedTable(
      builder,
      layout,
      'versions',
      sql`
      position bigint not null,
      record bigint not null,
      version integer not null,
      tenant integer not null,
      committed timestamptz not null,
      patient_id ${text} not null,
      type ${text} not null,
      id ${text} not null,
      by ${text},
      digest ${text} not null,
      state ${text} not null,
      resource ${jsonText},
      primary key (tenant, position)`,
    ),
    // Of the versions, which are only added. Each change of a row of `searchable` would write it again.
    sql`create index versions_by_time on ${table('versions')} (tenant, type, committed)`,
    // The first version of a record is found by its position.
    sql`create unique index versions_by_record on ${table('versions')} (tenant, record, version) where version > 1`,
  ];
};

const createSearchTables: MigrationStatements = (builder, layout) => {
  const { table } = builder;
  return [
    // Its own key is for replication, which deletes rows by a key. A unique term would make a writer wait for a transaction
    // that adds the same one. It comes from no sequence, because a replica has the rows without the sequence.
    sql`create table ${table('terms')} (
      tenant integer not null,
      row_id uuid not null default gen_random_uuid(),
      term uuid not null,
      type ${text} not null,
      kind ${text} not null,
      parameter ${text} not null,
      system ${text} not null,
      code ${text} not null,
      primary key (tenant, row_id)
    )`,
    sql`create index terms_by_term on ${table('terms')} (tenant, term)`,
    sql`create index terms_by_code on ${table('terms')} (tenant, code, parameter, type)`,
    sql`create index terms_by_system on ${table('terms')} (tenant, parameter, type, system)`,
    sql`create index terms_by_word on ${table('terms')} (tenant, parameter, type, code) where kind = 'string'`,
    ...createDividedTable(
      builder,
      layout,
      'searchable',
      sql`
      record bigint not null,
      current bigint not null,
      patient_id ${text} not null,
      type ${text} not null,
      id ${text} not null,
      version integer not null,
      tenant integer not null,
      committed timestamptz not null,
      resource ${jsonText} not null,
      terms uuid[] not null,
      date_terms uuid[] not null,
      date_from bigint[] not null,
      date_until bigint[] not null,
      -- With the time, so that a chart is put in the order of its changes without its rows.
      primary key (tenant, patient_id, type, record) include (committed)`,
    ),
    sql`create index searchable_by_type on ${table('searchable')} (tenant, type, record)`,
    sql`create index searchable_by_name on ${table('searchable')} (tenant, id, type)`,
    ...createDividedTable(
      builder,
      layout,
      'entries',
      sql`
      term uuid not null,
      record bigint not null,
      tenant integer not null,
      patient_id ${text} not null,
      primary key (tenant, term, record, patient_id)`,
    ),
    sql`alter table ${table('entries')} alter column term set statistics 1000`,
    ...createDividedTable(
      builder,
      layout,
      'dates',
      sql`
      term uuid not null,
      record bigint not null,
      "from" bigint not null,
      "until" bigint not null,
      tenant integer not null,
      patient_id ${text} not null,
      primary key (tenant, term, "from", "until", record, patient_id)`,
    ),
    // Few dates are long, and the others are found by their beginnings. An index of all ends would change one more page for
    // nearly each record with a date of its own.
    sql`create index long_dates_by_until on ${table('dates')} (tenant, term, "until", "from")
      where "until" - "from" > ${sql.lit(longestShortDate)}`,
    // All that orders a chart by a time. The rows need not be read.
    sql`create index dates_by_chart on ${table('dates')} (tenant, patient_id, term, record) include ("from", "until")`,
    sql`create table ${table('counts')} (
      tenant integer not null,
      type ${text} not null,
      readable bigint not null,
      primary key (tenant, type)
    ) with (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0)`,
    sql`create table ${table('indexed_parameters')} (
      tenant integer primary key,
      version integer not null,
      texts jsonb not null
    )`,
  ];
};

/** The statements by which Citus keeps all rows of a tenant on one server, and the names of tenants on each. */
const distribute = (builder: QueryBuilder): readonly RawBuilder<unknown>[] => {
  const [first, ...others] = tenantTables.map((table) => relationName(builder, table));
  return [
    // Foreign keys are created on one connection to each server.
    sql`set local citus.multi_shard_modify_mode = 'sequential'`,
    sql`select create_reference_table(${relationName(builder, 'tenants')})`,
    sql`select create_distributed_table(${first}, 'tenant', colocate_with => 'none')`,
    ...others.map(
      (table) => sql`select create_distributed_table(${table}, 'tenant', colocate_with => ${first})`,
    ),
  ];
};

/**
 * The version of the schema that the first step makes. Until the first release, that step is edited in place, and its version
 * raised, so that tables of an older build are refused.
 */
export const firstVersion = 16;

/** Every step, oldest first. A released step is never edited: each change is a new step. */
export const migrations: readonly Migration[] = [
  (builder, layout) => [
    ...createRecordTables(builder, layout),
    ...createTenantNumber(builder, layout),
    ...createSearchTables(builder, layout),
    ...createPlaceFunctions(builder, layout),
    ...createEraseFunction(builder, layout),
    ...(layout.isDistributed ? [] : createWriteFunction(builder)),
    ...createComments(builder),
    ...(layout.isDistributed ? distribute(builder) : []),
  ],
];
