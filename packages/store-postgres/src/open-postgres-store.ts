import type { ClinicalStore } from '@clinical-records/core/store';
import { formatMigrations, isMigrated, migrate } from './migrate.ts';
import type { Layout } from './migrations.ts';
import { checkOptions, defaultSchema, type PostgresStoreOptions, requirePool } from './postgres-options.ts';
import { createPostgresStore } from './postgres-store.ts';
import { createQueryBuilder } from './query-builder.ts';
import { createExclusiveClient } from './use-client.ts';

/**
 * Opens a store on PostgreSQL with pg. The first call of any function migrates its tables to the schema of this
 * version. Throws if an option is not allowed.
 *
 * @example
 * const pool = new pg.Pool({ connectionString, pipeline: true, query_timeout: 15_000, keepAlive: true });
 * const store = openPostgresStore({ pool });
 */
export const openPostgresStore = ({
  pool,
  replicas = [],
  schema = defaultSchema,
  partitions,
  transactionTimeout = 5000,
  preparedStatements = true,
}: PostgresStoreOptions): ClinicalStore => {
  requirePool(pool);
  checkOptions(schema, partitions ?? 0);
  const builder = createQueryBuilder(schema, { preparedStatements });
  const use = createExclusiveClient(pool);
  let prepared: Promise<void> | null = null;
  let layout: Layout | null = null;
  const prepare = () => {
    prepared ??= use((client) => migrate(client, builder, partitions ?? null)).then(
      (found) => {
        layout = found;
      },
      (cause) => {
        // The next call tries again.
        prepared = null;
        throw cause;
      },
    );
    return prepared;
  };
  return createPostgresStore(pool, builder, {
    replicas,
    transactionTimeout,
    prepare,
    isMigrated: async (client) => layout !== null || isMigrated(client, builder),
    findByName: () => layout?.partitions === 0,
  });
};

/**
 * The SQL that creates the tables of a store, for a database whose owner runs it by hand. It runs nothing. With a `user`,
 * it grants that user of the pool the rights which the store needs.
 *
 * @example
 * process.stdout.write(migrationSql({ schema: 'north_clinic', user: 'clinic' }));
 */
export const migrationSql = ({
  schema = defaultSchema,
  partitions = 0,
  user,
}: Pick<PostgresStoreOptions, 'schema' | 'partitions'> & { readonly user?: string } = {}): string => {
  checkOptions(schema, partitions);
  return formatMigrations(createQueryBuilder(schema), { partitions }, { user });
};
