import { AsyncLocalStorage } from 'node:async_hooks';
import { ClinicalRecordsError } from '@clinical-records/core';
import {
  type ClinicalStore,
  type Commit,
  checkOptionNames,
  orThrow,
  type StoreError,
  type StoreOutcome,
  storeClosedError,
} from '@clinical-records/core/store';
import { type Either, flatten, left } from 'fp-ts/lib/Either.js';
import { createCommitAll } from './host/commit-all.ts';
import { createForgottenCalls } from './host/forgotten-calls.ts';
import { createJoinedCommit } from './host/joined-commit.ts';
import { createJoinedStore } from './host/joined-store.ts';
import { makeJoinable, type OpenTransaction } from './host/open-transaction.ts';
import { attempt, isReadOnly, NotMigratedError } from './postgres-errors.ts';
import {
  checkOptions,
  defaultSchema,
  optionNames,
  type PostgresStoreOptions,
  requirePool,
  requireTime,
} from './postgres-options.ts';
import type { HostClient, PostgresClient, PostgresPool } from './postgres-pool.ts';
import { createFeedReader } from './read/feed-reader.ts';
import { createRecordReader } from './read/record-reader.ts';
import { createReaders } from './readers.ts';
import { createSearchInOrder } from './search/ordered-search.ts';
import { preparedShapesOf } from './search/prepared-shapes.ts';
import { createBroadSearches, createSearch } from './search/search.ts';
import { createQueryBuilder, firstTenant, type QueryBuilder, tenantOf } from './statement.ts';
import { findTenant, requireTenant } from './tables/find-tenant.ts';
import { formatMigrations, isMigrated, migrate, type ReadRows, rowsOn } from './tables/migrate.ts';
import { createExclusiveClient, type UseClient } from './use-client.ts';
import { createGroupCommit, createWriteGroup } from './write/group-commit.ts';
import { createGroupWriter } from './write/group-writer.ts';
import { createReindex, createWriteIndex } from './write/reindex.ts';

type PostgresStoreSettings = {
  /** Does work on a client of the pool. */
  readonly use: UseClient;
  /** The error of a call that forgot to join the transaction by whose work it is called; null for any other call. */
  readonly refuseForgotten: () => StoreError | null;
  /** Pools of standby servers, which are read, too. */
  readonly replicas: readonly PostgresPool[];
  /** How many milliseconds a commit waits for other transactions, or for a server that is gone. */
  readonly transactionTimeout: number;
  /** Resolves once the tables have the schema of this version. */
  readonly prepare: () => Promise<void>;
  /** Whether the tables have that schema, and the tenant. */
  readonly isMigrated: (read: ReadRows) => Promise<boolean>;
};

/** Calls until the store is closed. `close` waits for the running ones. */
const createOpenCalls = () => {
  const running = new Set<Promise<unknown>>();
  let isOpen = true;

  const whileOpen = async <A>(work: () => Promise<Either<StoreError, A>>): StoreOutcome<A> => {
    if (!isOpen) return left(storeClosedError);
    const result = work();
    running.add(result);
    try {
      return await result;
    } finally {
      running.delete(result);
    }
  };

  return {
    whileOpen,
    close: async () => {
      if (!isOpen) throw new ClinicalRecordsError(storeClosedError);
      isOpen = false;
      await Promise.allSettled(running);
    },
  };
};

/** Creates the store on an open transaction of the host: of its client, or of a tool that it uses. */
const createJoin = (
  builder: QueryBuilder,
  settings: Omit<Parameters<typeof createJoinedStore>[1], 'commit'>,
) => {
  const joinBy = (joined: QueryBuilder) => {
    const commit = createJoinedCommit(joined);
    return (transaction: OpenTransaction) => createJoinedStore(joined, { ...settings, commit }, transaction);
  };
  const joinClient = joinBy(builder);
  const joinTool = joinBy(
    createQueryBuilder(builder.schema, {
      tenant: builder.tenant,
      preparedStatements: false,
      plainValues: true,
    }),
  );
  return (transaction: OpenTransaction) =>
    (transaction.connection.readInTransaction === null ? joinClient : joinTool)(transaction);
};

const createPostgresStore = (
  pool: PostgresPool,
  builder: QueryBuilder,
  { use, refuseForgotten, replicas, transactionTimeout, prepare, isMigrated }: PostgresStoreSettings,
): PostgresStore => {
  const readers = createReaders(pool, replicas, builder, prepare);
  // Another store may have reindexed the records, and a replica may not show that yet.
  const { read, indexedParameters } = createRecordReader(builder, readers.primary);
  const { readResource, readVersion, history } = createRecordReader(builder, readers.any);
  // A position of the feed or of a scan may be one that only another store has seen.
  const { changesSince, feedEnd, scan } = createFeedReader(builder, readers.primary, {
    hasProvisional: false,
  });
  const broadSearches = createBroadSearches(readers.broad, pool, replicas);
  const isPreparedShape = preparedShapesOf(pool);
  const search = createSearch(builder, {
    reader: readers.any,
    broadSearches,
    hasCounts: true,
    isPreparedShape,
  });
  const searchInOrder = createSearchInOrder(builder, { reader: readers.any, isPreparedShape });
  const groupWriter = createGroupWriter(builder, use);
  const commitChanges = createGroupCommit(createWriteGroup(groupWriter, use, { transactionTimeout }));
  const reindex = createReindex(use, createWriteIndex(builder), builder, { transactionTimeout });
  const write = (commit: Commit) =>
    commit.reindexing === undefined ? commitChanges(commit) : reindex(commit.reindexing);
  const commitAll = createCommitAll(use, builder, transactionTimeout);
  const { whileOpen, close } = createOpenCalls();

  const run = async <A>(work: () => Promise<Either<StoreError, A>>): StoreOutcome<A> => {
    const forgotten = refuseForgotten();
    return forgotten === null ? whileOpen(work) : left(forgotten);
  };

  const store: ClinicalStore<HostClient> = {
    read: (ref) => run(() => attempt(() => read(ref))),
    readResource: (ref) => run(() => attempt(() => readResource(ref))),
    search: (query) => run(() => search(query)),
    searchInOrder: (query) => run(() => attempt(() => searchInOrder(query))),
    commit: (commit) =>
      run(async () => {
        const prepared = await attempt(prepare);
        return prepared._tag === 'Left' ? prepared : write(commit).finally(readers.noteWrite);
      }),
    commitAll: (commits, writes) =>
      run(async () => {
        const prepared = await attempt(prepare);
        return prepared._tag === 'Left'
          ? prepared
          : commitAll(migrated, { commits, writes }).finally(readers.noteWrite);
      }),
    readVersion: (ref) => run(() => attempt(() => readVersion(ref))),
    history: (range) => run(() => attempt(() => history(range))),
    changesSince: (range) => run(async () => flatten(await attempt(() => changesSince(range)))),
    feedEnd: () => run(() => attempt(feedEnd)),
    scan: (range) => run(async () => flatten(await attempt(() => scan(range)))),
    indexedParameters: () => run(() => attempt(indexedParameters)),
    close,
    callContext: new AsyncLocalStorage(),
  };
  const migrated = { ...store, migrate: () => orThrow(whileOpen(() => attempt(prepare))) };
  const { noteTransaction } = readers;
  const settings = { isPreparedShape, whileOpen, isMigrated, transactionTimeout, noteTransaction };
  return makeJoinable(migrated, createJoin(builder, settings));
};

/** A store on PostgreSQL, whose tables can be migrated before the first call. */
export type PostgresStore<Client extends PostgresClient = HostClient> = ClinicalStore<Client> & {
  /**
   * Migrates the tables to the schema of this version. The first call of any other function does so, too, but not one in a
   * transaction of the host. Rejects with a `ClinicalRecordsError`.
   */
  readonly migrate: () => Promise<void>;
};

/**
 * Opens a store on PostgreSQL with pg. The first call of any function migrates its tables to the schema of this
 * version. Throws if an option is unknown or not allowed.
 *
 * @example
 * const pool = new pg.Pool({ connectionString, pipeline: true, query_timeout: 15_000, keepAlive: true });
 * const store = openPostgresStore({ pool });
 */
export const openPostgresStore = <Client extends PostgresClient = HostClient>(
  options: PostgresStoreOptions<Client>,
): PostgresStore<Client> => {
  checkOptionNames('openPostgresStore', options, optionNames);
  const {
    pool,
    replicas = [],
    schema = defaultSchema,
    tenant = firstTenant,
    partitions,
    distributed,
    transactionTimeout = 5000,
    preparedStatements = true,
  } = options;
  requirePool(pool);
  checkOptions(schema, { partitions, distributed });
  requireTenant(tenant);
  requireTime({ transactionTimeout });
  const builder = createQueryBuilder(schema, { tenant: tenantOf(tenant), preparedStatements });
  const { noteClient, refuse: refuseForgotten } = createForgottenCalls();
  const useClient = createExclusiveClient(pool);
  const use: UseClient = (work, limit) =>
    useClient((client) => {
      noteClient(client);
      return work(client);
    }, limit);
  let prepared: Promise<void> | null = null;
  const prepare = () => {
    prepared ??= use(async (client) => {
      await migrate(client, builder, { partitions, distributed });
      await findTenant(rowsOn(client), builder);
    }).catch((cause) => {
      // The next call tries again.
      prepared = null;
      if (!isReadOnly(cause)) throw cause;
      throw new NotMigratedError('The tables of this version are missing, and the database is read-only.', {
        cause,
      });
    });
    return prepared;
  };
  const store = createPostgresStore(pool, builder, {
    use,
    refuseForgotten,
    replicas,
    transactionTimeout,
    prepare,
    isMigrated: async (read) => {
      if (builder.tenant.number !== null) return true;
      if (!(await isMigrated(read, builder))) return false;
      await findTenant(read, builder);
      return true;
    },
  });
  // Its connections are clients of the pool.
  return store as PostgresStore<Client & HostClient> as PostgresStore<Client>;
};

/**
 * The SQL that creates the tables of a store, for a database whose owner runs it by hand. It runs nothing. It grants a `user` of
 * a pool what a store needs, so that the user can add versions, but neither change nor delete them, and creates no tenants. It
 * grants a `reader` what the reads of a store need. With `rowSecurity`, PostgreSQL itself shows both of them in each transaction the rows
 * of one tenant only.
 *
 * @example
 * process.stdout.write(migrationSql({ schema: 'north_clinic', user: 'clinic' }));
 */
export const migrationSql = ({
  schema = defaultSchema,
  partitions = 0,
  distributed = false,
  user,
  reader,
  rowSecurity = false,
}: Pick<PostgresStoreOptions, 'schema' | 'partitions' | 'distributed'> & {
  readonly user?: string;
  readonly reader?: string;
  readonly rowSecurity?: boolean;
} = {}): string => {
  checkOptions(schema, { partitions, distributed });
  if (distributed && rowSecurity)
    throw new Error(
      'Choose `distributed` or `rowSecurity`: Citus does not pass the tenant of a transaction on.',
    );
  return formatMigrations(
    createQueryBuilder(schema),
    { partitions, isDistributed: distributed },
    { user, reader, rowSecurity },
  );
};
