import { type RawBuilder, sql } from 'kysely';
import { createPlaceTrigger } from './host/place-function.ts';
import type { LaterIndex } from './later-index.ts';
import { longestShortDate } from './schema.ts';
import type { QueryBuilder } from './statement.ts';

/** How the tables are laid out when they are created. */
export type Layout = {
  /** The number of partitions of the tables that are read by patient; 0 for tables in one piece. */
  readonly partitions: number;
};

/** The statements of a transaction. */
type Statements = (builder: QueryBuilder, layout: Layout) => readonly RawBuilder<unknown>[];

/** One step of the schema. */
export type Migration = Statements | LaterIndex;

/** The tables that a layout can divide by patient. */
export const dividedTables = ['versions', 'searchable', 'entries', 'dates'] as const;

type DividedTable = (typeof dividedTables)[number];

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
  const options = sql.raw(storage[name]);
  if (partitions === 0) return [sql`create table ${table(name)} (${columns}) with (${options})`];
  return [
    sql`create table ${table(name)} (${columns}) partition by hash (patient_id)`,
    ...Array.from(
      { length: partitions },
      (_, remainder) =>
        sql`create table ${sql.id(schema, `${name}_${remainder}`)} partition of ${table(name)} for values with (modulus ${sql.lit(partitions)}, remainder ${sql.lit(remainder)}) with (${options})`,
    ),
  ];
};

/** Texts are equal only if all of their characters are, and are compared by their bytes. */
const text = sql`text collate "C"`;

const createRecordTables: Statements = (builder, layout) => {
  const { table } = builder;
  return [
    sql`create table ${table('head')} (
      the_only boolean primary key default true check (the_only),
      position bigint not null,
      digest ${text} not null
    ) with (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0)`,
    sql`insert into ${table('head')} (position, digest) values (0, '')`,
    sql`create table ${sql.id(builder.schema, 'writers')} (
      writer uuid primary key,
      number bigint not null,
      opened timestamptz not null default now()
    ) with (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0)`,
    // The positions of versions in a transaction of the host, until it ends.
    sql`create sequence ${sql.id(builder.schema, 'provisional_positions')} start with ${sql.lit(2 ** 52)} maxvalue ${sql.lit(Number.MAX_SAFE_INTEGER)}`,
    sql`create table ${table('records')} (
      type ${text} not null,
      id ${text} not null,
      patient_id ${text} not null,
      position bigint not null,
      current bigint not null,
      version integer not null,
      primary key (id, type)
    ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)`,
    ...createDividedTable(
      builder,
      layout,
      'versions',
      sql`
      position bigint not null,
      record bigint not null,
      version integer not null,
      at bigint not null,
      patient_id ${text} not null,
      type ${text} not null,
      id ${text} not null,
      by ${text},
      digest ${text} not null,
      state ${text} not null,
      resource ${text},
      primary key (position, patient_id)`,
    ),
    // The first version of a record is found by its position.
    sql`create index versions_by_record on ${table('versions')} (record, version) where version > 1`,
  ];
};

const createSearchTables: Statements = (builder, layout) => {
  const { table } = builder;
  return [
    // Its own key is for replication, which deletes rows by a key. A unique term would make a writer wait for a transaction
    // that adds the same one. It comes from no sequence, because a replica has the rows without the sequence.
    sql`create table ${table('terms')} (
      row_id uuid primary key default gen_random_uuid(),
      term uuid not null,
      type ${text} not null,
      kind ${text} not null,
      parameter ${text} not null,
      system ${text} not null,
      code ${text} not null
    )`,
    sql`create index terms_by_term on ${table('terms')} (term)`,
    sql`create index terms_by_code on ${table('terms')} (code, parameter, type)`,
    sql`create index terms_by_system on ${table('terms')} (parameter, type, system)`,
    sql`create index terms_by_word on ${table('terms')} (parameter, type, code) where kind = 'string'`,
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
      at bigint not null,
      resource ${text} not null,
      terms uuid[] not null,
      date_terms uuid[] not null,
      date_from bigint[] not null,
      date_until bigint[] not null,
      primary key (patient_id, type, record)`,
    ),
    sql`create index searchable_by_type on ${table('searchable')} (type, record)`,
    // A read by id does not name the chart, and so could not choose a partition.
    ...(layout.partitions === 0
      ? [sql`create index searchable_by_name on ${table('searchable')} (id, type)`]
      : []),
    ...createDividedTable(
      builder,
      layout,
      'entries',
      sql`
      term uuid not null,
      record bigint not null,
      patient_id ${text} not null,
      primary key (term, record, patient_id)`,
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
      patient_id ${text} not null,
      primary key (term, "from", "until", record, patient_id)`,
    ),
    // Few dates are long, and the others are found by their beginnings. An index of all ends would change one more page for
    // nearly each record with a date of its own.
    sql`create index long_dates_by_until on ${table('dates')} (term, "until", "from")
      where "until" - "from" > ${sql.lit(longestShortDate)}`,
    sql`create table ${table('counts')} (
      type ${text} primary key,
      readable bigint not null
    ) with (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0)`,
  ];
};

const createIndexVersionTable: Statements = ({ table }) => [
  sql`create table ${table('index_version')} (version integer primary key)`,
];

/** A writer found out by its own row what became of a transaction. The end of the feed shows it, too. */
const replaceWritersByFence: Statements = ({ schema, table }) => [
  sql`alter table ${table('head')} add column fence bigint not null default 0`,
  sql`drop table ${sql.id(schema, 'writers')}`,
];

/** Every step, oldest first. A released step is never edited: each change is a new step. */
export const migrations: readonly Migration[] = [
  (builder, layout) => [...createRecordTables(builder, layout), ...createSearchTables(builder, layout)],
  createIndexVersionTable,
  replaceWritersByFence,
  createPlaceTrigger,
];
