import { type RawBuilder, sql } from 'kysely';
import { type Layout, migrations } from './migrations.ts';
import type { PostgresClient } from './postgres-pool.ts';
import type { QueryBuilder } from './query-builder.ts';

/** A transaction of the migration to a version of the schema. */
const migrationStatements = (
  builder: QueryBuilder,
  layout: Layout,
  version: number,
): readonly RawBuilder<unknown>[] => [
  ...(migrations[version - 1]?.(builder, layout) ?? []),
  sql`insert into ${builder.table('migrations')} (version) values (${sql.lit(version)})`,
];

const createMigrationsTable = ({ schema, table }: QueryBuilder): readonly RawBuilder<unknown>[] => [
  sql`create schema if not exists ${sql.id(schema)}`,
  sql`create table if not exists ${table('migrations')} (version integer primary key)`,
];

const toSql =
  ({ db }: QueryBuilder) =>
  (statement: RawBuilder<unknown>): string =>
    statement.compile(db).sql;

/** The SQL of all migrations, for a database whose owner runs it by hand. Each part between `begin` and `commit` is a step. */
export const formatMigrations = (builder: QueryBuilder, layout: Layout): string => {
  const steps = migrations.map((_, at) => migrationStatements(builder, layout, at + 1));
  return [createMigrationsTable(builder), ...steps]
    .map((statements) =>
      ['begin', ...statements.map(toSql(builder)), 'commit'].map((one) => `${one};\n`).join(''),
    )
    .join('\n');
};

/** The schema version of the tables; 0 before the first migration. */
const readVersion = async (client: PostgresClient, { schema, table, db }: QueryBuilder): Promise<number> => {
  const exists = await client.query({
    text: 'select to_regclass($1) is not null as "exists"',
    values: [`"${schema}".migrations`],
  });
  if (!(exists.rows[0] as { exists: boolean }).exists) return 0;
  const latest = sql`select coalesce(max(version), 0) as version from ${table('migrations')}`.compile(db);
  return ((await client.query({ text: latest.sql })).rows[0] as { version: number }).version;
};

const inTransaction = async <A>(client: PostgresClient, work: () => Promise<A>): Promise<A> => {
  await client.query({ text: 'begin' });
  try {
    const result = await work();
    await client.query({ text: 'commit' });
    return result;
  } catch (cause) {
    await client.query({ text: 'rollback' });
    throw cause;
  }
};

/**
 * Migrates the tables to the schema of this version of the library, each step in a transaction of its own. Processes
 * that start together take turns.
 *
 * Throws, and does not change the database, if its schema is from a newer version of the library.
 */
export const migrate = async (
  client: PostgresClient,
  builder: QueryBuilder,
  layout: Layout,
): Promise<void> => {
  const run = async (statements: readonly RawBuilder<unknown>[]) => {
    for (const statement of statements) await client.query({ text: toSql(builder)(statement) });
  };
  const version = await readVersion(client, builder);
  if (version > migrations.length) {
    throw new Error(
      `The tables have schema ${version}, but this version of @clinical-records/store-postgres supports schemas up to ${migrations.length}. ` +
        'Use the version that wrote them, or a newer one.',
    );
  }
  for (let target = version + 1; target <= migrations.length; target += 1) {
    await inTransaction(client, async () => {
      // Held until the end of the transaction.
      await client.query({
        text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
        values: [`clinical-records ${builder.schema}`],
      });
      // Another process may have been faster.
      if ((await readVersion(client, builder)) >= target) return;
      if (target === 1) await run(createMigrationsTable(builder));
      await run(migrationStatements(builder, layout, target));
    });
  }
};
