import type { OpenStore } from '@clinical-records/core/store';
import { formatMigrations, isMigrated, migrate } from './migrate.ts';
import type { Layout } from './migrations.ts';
import type { PostgresPool } from './postgres-pool.ts';
import { createPostgresStore } from './postgres-store.ts';
import { createQueryBuilder } from './query-builder.ts';
import { createExclusiveClient } from './use-client.ts';

const defaultSchema = 'clinical_records';

/** PostgreSQL plans statements slowly on tables with more. */
const maxPartitions = 1024;

/** Where the records are kept: in a schema of a database. */
export type PostgresStoreOptions = {
  /** A `Pool` of pg. With `pipeline: true` it saves round trips. `close` leaves it open. */
  readonly pool: PostgresPool;
  /**
   * Pools of standby servers of `pool`, one each. Reads by id, histories and searches go to one that has replayed all that
   * this store has written or read before, and otherwise to `pool`. Default: none.
   */
  readonly replicas?: readonly PostgresPool[];
  /** The schema of the tables, which has nothing else: a name of 1 to 63 bytes. Default: `clinical_records`. */
  readonly schema?: string;
  /**
   * The number of partitions, by patient, of the large tables; 0 for none. It cannot be changed later. Default: that of
   * the tables, or 0 if they do not exist.
   */
  readonly partitions?: number;
  /** How many milliseconds a commit may wait for other transactions, or for a server that is gone. Default: 5000. */
  readonly transactionTimeout?: number;
  /**
   * Whether statements are prepared under names, so that each connection parses and plans them once. Set it to false
   * behind a pooler that gives each transaction any connection and does not track these names, such as PgBouncer before
   * 1.21. Default: true.
   */
  readonly preparedStatements?: boolean;
};

const checkOptions = (schema: string, partitions: number): void => {
  const bytes = Buffer.byteLength(schema);
  // PostgreSQL cuts off a longer name, so that two schemas could become one.
  if (bytes < 1 || bytes > 63 || schema.includes('\u0000')) {
    throw new Error('`schema` must be a name of PostgreSQL: 1 to 63 bytes, without U+0000.');
  }
  if (!Number.isInteger(partitions) || partitions < 0 || partitions > maxPartitions) {
    throw new Error(`\`partitions\` must be an integer from 0 to ${maxPartitions}.`);
  }
};

/**
 * Opens a store on PostgreSQL with pg. The first call of any function migrates its tables to the schema of this
 * version. Throws if an option is not allowed.
 */
export const openPostgresStore = ({
  pool,
  replicas = [],
  schema = defaultSchema,
  partitions,
  transactionTimeout = 5000,
  preparedStatements = true,
}: PostgresStoreOptions): OpenStore => {
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
 * The SQL that creates the tables of a store, for a database whose owner runs it by hand. It runs nothing.
 *
 * @example
 * process.stdout.write(migrationSql({ schema: 'north_clinic' }));
 */
export const migrationSql = ({
  schema = defaultSchema,
  partitions = 0,
}: Pick<PostgresStoreOptions, 'schema' | 'partitions'> = {}): string => {
  checkOptions(schema, partitions);
  return formatMigrations(createQueryBuilder(schema), { partitions });
};
