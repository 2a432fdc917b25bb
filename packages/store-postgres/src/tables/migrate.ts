import { type RawBuilder, sql } from 'kysely';
import { TablesError } from '../postgres-errors.ts';
import type { LayoutOptions } from '../postgres-options.ts';
import type { PostgresClient, PostgresQuery } from '../postgres-pool.ts';
import { relationName } from '../schema.ts';
import type { QueryBuilder } from '../statement.ts';
import {
  buildIndex,
  buildStatements,
  isLaterIndex,
  joinStatements,
  migrationLockTimeout,
  partsOf,
  untilUnlocked,
} from './later-index.ts';
import { firstVersion, type Layout, type Migration, migrations } from './migrations.ts';
import { grantReading, grantWriting, guardRows } from './rights.ts';

/** The transaction that ends a step of the migration, to a version of the schema. */
const stepStatements = (
  builder: QueryBuilder,
  layout: Layout,
  step: Migration,
  version: number,
): readonly RawBuilder<unknown>[] => [
  ...(isLaterIndex(step) ? joinStatements(builder, layout, step) : step(builder, layout)),
  sql`insert into ${builder.table('migrations')} (version) values (${sql.lit(version)})`,
];

const createSchema = ({ schema }: QueryBuilder) => sql`create schema if not exists ${sql.id(schema)}`;

const createMigrationsTable = ({ table }: QueryBuilder) =>
  sql`create table if not exists ${table('migrations')} (version integer primary key)`;

const toSql =
  ({ db }: QueryBuilder) =>
  (statement: RawBuilder<unknown>): string =>
    statement.compile(db).sql;

/**
 * The SQL of all migrations, for a database whose owner runs it by hand. A step is what is between `begin` and `commit`,
 * and the index that is built before. The end grants the rights that the user of an application and a reader need.
 */
export const formatMigrations = (
  builder: QueryBuilder,
  layout: Layout,
  {
    user,
    reader,
    rowSecurity = false,
    steps = migrations,
  }: {
    readonly user?: string | undefined;
    readonly reader?: string | undefined;
    readonly rowSecurity?: boolean | undefined;
    readonly steps?: typeof migrations;
  } = {},
): string => {
  const formatted = (statements: readonly RawBuilder<unknown>[]) =>
    statements.map((statement) => `${toSql(builder)(statement)};\n`).join('');
  const transaction = (statements: readonly RawBuilder<unknown>[]) =>
    `begin;\nset local lock_timeout = ${migrationLockTimeout};\n${formatted(statements)}commit;\n`;
  return [
    transaction([createSchema(builder), createMigrationsTable(builder)]),
    ...steps.map((step, index) => {
      const before = isLaterIndex(step) ? partsOf(step, layout).flatMap(buildStatements(builder)) : [];
      return formatted(before) + transaction(stepStatements(builder, layout, step, firstVersion + index));
    }),
    ...(rowSecurity ? [transaction(guardRows(builder))] : []),
    ...(user === undefined ? [] : [transaction(grantWriting(builder, layout, user))]),
    ...(reader === undefined ? [] : [transaction(grantReading(builder, reader))]),
  ].join('\n');
};

/** To create a schema that exists needs the right to create one, too. */
export const hasSchema = async (
  client: PostgresClient,
  { schema }: Pick<QueryBuilder, 'schema'>,
): Promise<boolean> => {
  const text = 'select from pg_catalog.pg_namespace where nspname = $1';
  return (await client.query({ text, values: [schema] })).rows.length > 0;
};

/** Runs a query that only reads, and returns its rows. */
export type ReadRows = (query: PostgresQuery) => Promise<readonly unknown[]>;

export const rowsOn =
  (client: PostgresClient): ReadRows =>
  async (query) =>
    (await client.query(query)).rows;

/** Whether a migration has begun to create the tables. */
export const hasTables = async (read: ReadRows, { schema }: QueryBuilder): Promise<boolean> => {
  // Not by `to_regclass`: it may remember that there was no table before another process created it.
  const [{ exists } = { exists: false }] = (await read({
    text: `select exists (
      select from pg_catalog.pg_tables where schemaname = $1 and tablename = 'migrations'
    ) as "exists"`,
    values: [schema],
  })) as readonly { readonly exists: boolean }[];
  return exists;
};

/** The schema version of the tables; 0 before the first migration. */
const readVersion = async (read: ReadRows, builder: QueryBuilder): Promise<number> => {
  if (!(await hasTables(read, builder))) return 0;
  const { table, db } = builder;
  const latest = sql`select coalesce(max(version), 0) as version from ${table('migrations')}`.compile(db);
  const [{ version } = { version: 0 }] = (await read({ text: latest.sql })) as readonly {
    readonly version: number;
  }[];
  return version;
};

/** Whether the tables are distributed: those have no triggers. */
export const areDistributed = (builder: QueryBuilder): RawBuilder<boolean> => sql`not exists (
  select from pg_catalog.pg_trigger
  where tgrelid = ${relationName(builder, 'host_transactions')}::regclass and tgname = 'place_all'
)`;

/** How the tables are laid out. */
const readLayout = async (client: PostgresClient, builder: QueryBuilder): Promise<Layout> => {
  const versions = sql`${relationName(builder, 'versions')}::regclass`;
  const layout = sql`
    select (select count(*) from pg_catalog.pg_inherits where inhparent = ${versions})::integer as partitions,
      ${areDistributed(builder)} as "isDistributed"`;
  return (await client.query({ text: layout.compile(builder.db).sql })).rows[0] as Layout;
};

/** Whether the tables have the schema of this version. */
export const isMigrated = async (read: ReadRows, builder: QueryBuilder): Promise<boolean> =>
  (await readVersion(read, builder)) === lastVersionOf(migrations);

export const lastVersionOf = (steps: readonly Migration[]): number => firstVersion + steps.length - 1;

/** Reads the schema version of the tables. Throws if a version of the library with these steps cannot use or migrate them. */
const requireVersion = async (
  read: ReadRows,
  builder: QueryBuilder,
  steps: readonly Migration[],
): Promise<number> => {
  const version = await readVersion(read, builder);
  if (version > 0 && version < firstVersion) {
    throw new TablesError(
      'The tables are from an older version of @clinical-records/store-postgres, which this version cannot read. ' +
        'Export the records with the version that wrote them (--export), and import them into a new schema with this one (--import).',
    );
  }
  if (version > lastVersionOf(steps)) {
    throw new TablesError(
      `The tables have schema ${version}, but this version of @clinical-records/store-postgres supports schemas up to ${lastVersionOf(steps)}. ` +
        'Use the version that wrote them, or a newer one.',
    );
  }
  return version;
};

/** Throws if the database does not have Citus. */
const requireCitus = async (client: PostgresClient): Promise<void> => {
  const { rows } = await client.query({
    text: `select from pg_catalog.pg_extension where extname = 'citus'`,
  });
  if (rows.length === 0)
    throw new TablesError('`distributed` needs the extension citus, which this database does not have.');
};

/** Throws if the database cannot store every text. */
const requireEncoding = async (client: PostgresClient): Promise<void> => {
  const { rows } = await client.query({ text: `select current_setting('server_encoding') as encoding` });
  const [{ encoding } = { encoding: '' }] = rows as readonly { readonly encoding: string }[];
  if (encoding !== 'UTF8')
    throw new TablesError(
      `The database has the encoding ${encoding}, which cannot store every text. Create one with ENCODING 'UTF8'.`,
    );
};

/**
 * Migrates the tables to the schema of this version of the library, each step in a transaction of its own. Processes that start
 * together take turns.
 *
 * Without a wish for it, new tables are in one piece, and existing ones are as they are.
 *
 * Throws, and does not change the database, if its encoding is not UTF8, if its schema is from another version of the library that
 * this one cannot migrate, or if existing tables have another layout.
 */
export const migrate = async (
  client: PostgresClient,
  builder: QueryBuilder,
  { partitions, distributed }: Partial<LayoutOptions>,
  steps = migrations,
): Promise<void> => {
  const run = async (statements: readonly RawBuilder<unknown>[]) => {
    for (const statement of statements) await client.query({ text: toSql(builder)(statement) });
  };
  await requireEncoding(client);
  const version = await requireVersion(rowsOn(client), builder, steps);
  for (const [index, step] of steps.entries()) {
    const target = firstVersion + index;
    if (target <= version) continue;
    if (target === firstVersion && distributed) await requireCitus(client);
    const layout =
      target === firstVersion
        ? { partitions: partitions ?? 0, isDistributed: distributed ?? false }
        : await readLayout(client, builder);
    if (isLaterIndex(step)) {
      for (const part of partsOf(step, layout)) await buildIndex(client, builder, part);
    }
    await untilUnlocked(client, async () => {
      // Held until the end of the transaction.
      await client.query({
        text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
        values: [`clinical-records ${builder.schema}`],
      });
      // Another process may have been faster, also one with another version of the library.
      if ((await requireVersion(rowsOn(client), builder, steps)) >= target) return;
      if (!(await hasSchema(client, builder))) await run([createSchema(builder)]);
      if (target === firstVersion) await run([createMigrationsTable(builder)]);
      await run(stepStatements(builder, layout, step, target));
    });
  }
  const existing = await readLayout(client, builder);
  if (partitions !== undefined && existing.partitions !== partitions) {
    throw new TablesError(
      `The tables have ${existing.partitions} partitions, not ${partitions}. Their number cannot be changed: leave \`partitions\` out, or copy the records to a new schema.`,
    );
  }
  if (distributed !== undefined && existing.isDistributed !== distributed) {
    throw new TablesError(
      `The tables are ${existing.isDistributed ? 'distributed already' : 'not distributed'}. That cannot be changed: leave \`distributed\` out, or copy the records to a new schema.`,
    );
  }
};
