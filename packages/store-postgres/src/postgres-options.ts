import { longestTimer, type OptionNames, requireNumbers } from '@clinical-records/core/store';
import type { PostgresClient, PostgresPool } from './postgres-pool.ts';

export const defaultSchema = 'clinical_records';

/** PostgreSQL plans statements slowly on tables with more. */
const maxPartitions = 1024;

/** Where the records are kept: in a schema of a database. */
export type PostgresStoreOptions<Client extends PostgresClient = PostgresClient> = {
  /** A `Pool` of pg. With `pipeline: true` it saves round trips. `close` leaves it open. */
  readonly pool: PostgresPool<Client>;
  /**
   * Pools of standby servers of `pool`, one each. Reads by id, histories and searches go to one that has replayed all that
   * this store has written or read before, and otherwise to `pool`. Default: none.
   */
  readonly replicas?: readonly PostgresPool[];
  /** The schema of the tables, which has nothing else: a name of 1 to 63 bytes. Default: `clinical_records`. */
  readonly schema?: string;
  /**
   * The clinic whose records the store has, among those that share the tables: a name that `createTenant` was given. Default:
   * `default`, which every schema begins with.
   */
  readonly tenant?: string;
  /**
   * The number of partitions, by tenant, of the large tables; 0 for none. It cannot be changed later. Default: that of
   * the tables, or 0 if they do not exist.
   */
  readonly partitions?: number;
  /**
   * Whether Citus distributes the tables by tenant over its servers. `pool` is one of its coordinator. It cannot be changed later.
   * Default: as the tables are, or false if they do not exist.
   */
  readonly distributed?: boolean;
  /** How many milliseconds a commit may wait for other transactions, or for a server that is gone. Default: 5000. */
  readonly transactionTimeout?: number;
  /**
   * Whether statements are prepared under names, so that each connection parses and plans them once. Set it to false
   * behind a pooler that gives each transaction any connection and does not track these names, such as PgBouncer before
   * 1.21. Default: true.
   */
  readonly preparedStatements?: boolean;
};

export const optionNames: OptionNames<PostgresStoreOptions> = {
  pool: true,
  replicas: true,
  schema: true,
  tenant: true,
  partitions: true,
  distributed: true,
  transactionTimeout: true,
  preparedStatements: true,
};

/** Throws if plain JavaScript passes something else, such as the options of a pool. */
export const requirePool = (pool: Partial<PostgresPool> | undefined): void => {
  if (typeof pool?.connect !== 'function') throw new TypeError('pool is required: a Pool of pg.');
};

/** Throws if a name is not one of a schema. */
export const requireSchema = (schema: string): void => {
  const bytes = Buffer.byteLength(schema);
  // PostgreSQL cuts off a longer name, so that two schemas could become one.
  if (bytes < 1 || bytes > 63 || schema.includes('\u0000')) {
    throw new Error('`schema` must be a name of PostgreSQL: 1 to 63 bytes, without U+0000.');
  }
};

/** Throws if a time is not one that a timer can wait. Of a variable that is not set, it is often `NaN`. */
export const requireTime = (time: Readonly<Record<string, number>>): void =>
  requireNumbers(time, 1, longestTimer);

/** The options for the layout of new tables. */
export type LayoutOptions = {
  readonly [Name in 'partitions' | 'distributed']: PostgresStoreOptions[Name] | undefined;
};

/** Throws if an option is not allowed. */
export const checkOptions = (
  schema: string,
  { partitions = 0, distributed = false }: LayoutOptions,
): void => {
  requireSchema(schema);
  if (!Number.isInteger(partitions) || partitions < 0 || partitions > maxPartitions) {
    throw new Error(`\`partitions\` must be an integer from 0 to ${maxPartitions}.`);
  }
  if (distributed && partitions > 0)
    throw new Error('Choose `partitions` or `distributed`: Citus divides the tables itself.');
};
