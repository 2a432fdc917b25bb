import { hash } from 'node:crypto';
import { ClinicalRecordsError } from '@clinical-records/core';
import {
  type AuditHead,
  type AuditStore,
  chainAuditEntries,
  checkOptionNames,
  emptyAuditHead,
  type StoredAuditEntry,
  type StoreError,
  type StoreOutcome,
  storeClosedError,
  unknownPositionError,
} from '@clinical-records/core/store';
import { type Either, left, map, right } from 'fp-ts/lib/Either.js';
import { ignoreError, outcomeUnknownError, postgresError } from '../postgres-errors.ts';
import {
  defaultSchema,
  type PostgresStoreOptions,
  requirePool,
  requireSchema,
  requireTime,
} from '../postgres-options.ts';
import type { PostgresClient, PostgresQuery } from '../postgres-pool.ts';
import { createQueryBuilder, firstTenant, tenantOf } from '../statement.ts';
import {
  findTenant,
  hasTenant,
  noTenantError,
  requireRemoved,
  requireTenant,
  tenantGoneError,
} from '../tables/find-tenant.ts';
import { hasTables, type ReadRows, rowsOn } from '../tables/migrate.ts';
import { beginTransaction, commitTransaction, InDoubtError, runQuery } from '../transaction.ts';
import { createExclusiveClient, type UseClient } from '../use-client.ts';
import {
  auditStartTableOf,
  auditTableOf,
  createAuditQueries,
  createAuditTable,
  formatAuditTable,
  lockAuditLog,
} from './audit-table.ts';

/** The tenant to which a log belongs. */
type LogTenant = {
  /** The number of the tenant. Throws if it has no log that may be read. */
  readonly findNumber: (read: ReadRows) => Promise<number>;
  /** Throws if the log may not be read any more. */
  readonly requireReadable: (read: ReadRows) => Promise<void>;
};

/** The queries of a log, once its table exists and its tenant is known. */
type PreparedLog = { readonly queries: ReturnType<typeof createAuditQueries>; readonly number: number };

/** Prepares a log once, and again if that fails. */
const createPrepare = (
  use: UseClient,
  schema: string,
  { findNumber }: LogTenant,
): (() => Promise<PreparedLog>) => {
  let prepared: Promise<PreparedLog> | null = null;
  const prepare = async (client: PostgresClient): Promise<PreparedLog> => {
    await createAuditTable(client, schema);
    const number = await findNumber(rowsOn(client));
    return { number, queries: createAuditQueries(auditTableOf(schema), auditStartTableOf(schema), number) };
  };
  return () => {
    prepared ??= use(prepare).catch((cause) => {
      // The next call tries again.
      prepared = null;
      throw cause;
    });
    return prepared;
  };
};

/**
 * Runs a query in a transaction that has locked the log, so that the last entry stays the last, and then the queries that
 * its rows ask for.
 */
const writeLocked = async <A>(
  client: PostgresClient,
  { lock, timeout }: { readonly lock: PostgresQuery; readonly timeout: number },
  query: PostgresQuery,
  decide: (rows: readonly unknown[]) => { readonly queries: readonly PostgresQuery[]; readonly result: A },
): Promise<A> => {
  try {
    const begin = beginTransaction({ lock_timeout: timeout });
    const responses = await Promise.all([...begin, lock, query].map((each) => runQuery(client, each)));
    const { queries, result } = decide(responses.at(-1)?.rows ?? []);
    await commitTransaction(client, queries);
    return result;
  } catch (cause) {
    // If it fails, the connection is lost, and the transaction with it.
    await runQuery(client, { text: 'rollback' }).catch(ignoreError);
    throw cause;
  }
};

type AuditStoreOptions = Pick<PostgresStoreOptions, 'pool' | 'schema' | 'transactionTimeout'>;

const createAuditStore = (
  { pool, schema = defaultSchema, transactionTimeout = 5000 }: AuditStoreOptions,
  tenant: LogTenant,
): AuditStore => {
  requirePool(pool);
  requireSchema(schema);
  requireTime({ transactionTimeout });
  const use = createExclusiveClient(pool);
  const prepare = createPrepare(use, schema, tenant);
  let isOpen = true;

  const whileOpen = async <A>(
    work: (client: PostgresClient, log: PreparedLog) => Promise<Either<StoreError, A>>,
  ): StoreOutcome<A> => {
    if (!isOpen) return left(storeClosedError);
    try {
      const log = await prepare();
      return await use((client) => work(client, log));
    } catch (cause) {
      return left(cause instanceof InDoubtError ? outcomeUnknownError(cause) : postgresError(cause));
    }
  };

  const read = <Row>(queryOf: (queries: PreparedLog['queries']) => PostgresQuery) =>
    whileOpen<Row[]>(async (client, { queries }) => {
      const { rows } = await client.query(queryOf(queries));
      await tenant.requireReadable(rowsOn(client));
      return right(rows as Row[]);
    });

  const write = <A>(
    queryOf: (queries: PreparedLog['queries']) => PostgresQuery,
    decide: (
      rows: readonly unknown[],
      queries: PreparedLog['queries'],
    ) => { readonly queries: readonly PostgresQuery[]; readonly result: Either<StoreError, A> },
  ) =>
    whileOpen<A>((client, { queries, number }) => {
      const locked = { lock: lockAuditLog(schema, number), timeout: transactionTimeout };
      return writeLocked(client, locked, queryOf(queries), (rows) => decide(rows, queries));
    });

  return {
    append: (entries) =>
      write<void>(
        ({ head }) => head,
        ([last = emptyAuditHead], queries) => {
          const chained = chainAuditEntries((text) => hash('sha256', text), last as AuditHead, entries);
          return { queries: [queries.insert(chained)], result: right(undefined) };
        },
      ),
    search: (query) => read<StoredAuditEntry>(({ search }) => search(query)),
    scan: ({ after, limit }) => read<StoredAuditEntry>(({ scan }) => scan(after, limit)),
    start: async () =>
      map(([start = emptyAuditHead]: AuditHead[]) => start)(await read<AuditHead>(({ start }) => start)),
    removeUntil: (position) =>
      write<void>(
        ({ moveStart }) => moveStart(position),
        (moved, { removeOld }) =>
          moved.length === 0
            ? { queries: [], result: left(unknownPositionError) }
            : { queries: removeOld, result: right(undefined) },
      ),
    close: async () => {
      if (!isOpen) throw new ClinicalRecordsError(storeClosedError);
      isOpen = false;
    },
  };
};

/** The number of the only log in a schema without records: that of the first tenant. */
const onlyLog = 0;

/**
 * Opens the store of an audit log on PostgreSQL, in a table of its own beside those of the records: `audit_events`. Triggers
 * refuse to change a row, to delete one that has not expired, and to insert one elsewhere than at the end. Each `tenant` has a log
 * of its own, which stays when the tenant is removed: then it can be appended to, and only `openRemovedAuditStore` reads it. The
 * first call of any function creates the table. `close` leaves the pool open. Throws if an option is not allowed.
 *
 * @example
 * const audit = createAuditLog({ store: openPostgresAuditStore({ pool }) });
 */
export const openPostgresAuditStore = ({
  tenant = firstTenant,
  ...options
}: AuditStoreOptions & Pick<PostgresStoreOptions, 'tenant'>): AuditStore => {
  const known = { pool: true, schema: true, transactionTimeout: true } as const;
  checkOptionNames('openPostgresAuditStore', options, known);
  requireTenant(tenant);
  const builder = createQueryBuilder(options.schema ?? defaultSchema, { tenant: tenantOf(tenant) });
  let isAlone = false;
  return createAuditStore(options, {
    findNumber: async (read) => {
      isAlone = !(await hasTables(read, builder));
      if (!isAlone) return findTenant(read, builder);
      if (tenant !== firstTenant) throw noTenantError(builder);
      return onlyLog;
    },
    requireReadable: async (read) => {
      if (!isAlone && !(await hasTenant(read, builder))) throw tenantGoneError(builder);
    },
  });
};

/**
 * Opens the store of the audit log of a tenant that has been removed, by its number from `listRemovedTenants`. The pool must be one
 * of the owner of the tables: every call of another user is refused. Throws if an option is not allowed.
 *
 * @example
 * const audit = createAuditLog({ store: openRemovedAuditStore({ pool: ownersPool, number: 7 }) });
 * for await (const line of audit.export()) process.stdout.write(line);
 */
export const openRemovedAuditStore = ({
  number,
  ...options
}: AuditStoreOptions & {
  /** The number of the tenant. */
  readonly number: number;
}): AuditStore => {
  const known = { pool: true, schema: true, transactionTimeout: true } as const;
  checkOptionNames('openRemovedAuditStore', options, known);
  const builder = createQueryBuilder(options.schema ?? defaultSchema);
  return createAuditStore(options, {
    findNumber: async (read) => {
      await requireRemoved(read, builder, number);
      return number;
    },
    requireReadable: async () => {},
  });
};

/**
 * The SQL that creates the table of an audit log, for a database whose owner runs it by hand. It runs nothing. Throws if the
 * schema is not allowed.
 *
 * @example
 * process.stdout.write(auditTableSql({ schema: 'north_clinic' }));
 */
export const auditTableSql = ({
  schema = defaultSchema,
}: Pick<PostgresStoreOptions, 'schema'> = {}): string => {
  requireSchema(schema);
  return formatAuditTable(schema);
};
