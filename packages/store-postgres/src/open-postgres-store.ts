import type { OpenStore } from '@clinical-records/core/store';
import { formatMigrations, migrate } from './migrate.ts';
import type { PostgresPool } from './postgres-pool.ts';
import { createPostgresStore } from './postgres-store.ts';
import { createQueryBuilder } from './query-builder.ts';
import { createExclusiveClient } from './use-client.ts';

const defaultSchema = 'clinical_records';

/** Where the records are kept: in a schema of a database. */
export type PostgresStoreOptions = {
  /** A `Pool` of pg. With `pipeline: true` it saves round trips. `close` leaves it open. */
  readonly pool: PostgresPool;
  /** The schema of the tables, which has nothing else. Default: `clinical_records`. */
  readonly schema?: string;
  /** The number of partitions, by patient, of the large tables. It matters when they are created. Default: none. */
  readonly partitions?: number;
  /** How many milliseconds a commit may wait for other transactions, or for a server that is gone. Default: 5000. */
  readonly transactionTimeout?: number;
};

/**
 * Opens a store on PostgreSQL with pg. The first call of any function migrates its tables to the schema of this
 * version.
 */
export const openPostgresStore = ({
  pool,
  schema = defaultSchema,
  partitions = 0,
  transactionTimeout = 5000,
}: PostgresStoreOptions): OpenStore => {
  const builder = createQueryBuilder(schema);
  const use = createExclusiveClient(pool);
  let prepared: Promise<void> | null = null;
  const prepare = () => {
    prepared ??= use((client) => migrate(client, builder, { partitions })).catch((cause) => {
      // The next call tries again.
      prepared = null;
      throw cause;
    });
    return prepared;
  };
  return createPostgresStore(pool, builder, { transactionTimeout, prepare });
};

/**
 * The SQL that creates the tables of a store, for a database whose owner runs it by hand. It runs nothing.
 *
 * @example
 * process.stdout.write(migrationSql({ schema: 'north_clinic' }));
 */
export const migrationSql = ({
  schema = defaultSchema,
  partitions = 0,
}: Pick<PostgresStoreOptions, 'schema' | 'partitions'> = {}): string =>
  formatMigrations(createQueryBuilder(schema), { partitions });
