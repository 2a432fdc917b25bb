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
import { firstTenant } from '../statement.ts';
import { requireTenant } from '../tables/tenants.ts';
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

/** Creates the table once, and again if that fails. */
const createPrepare = (use: UseClient, schema: string): (() => Promise<void>) => {
  let prepared: Promise<void> | null = null;
  return (): Promise<void> => {
    prepared ??= use((client) => createAuditTable(client, schema)).catch((cause) => {
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

/**
 * Opens the store of an audit log on PostgreSQL, in a table of its own beside those of the records: `audit_events`. Triggers
 * refuse to change a row, to delete one that has not expired, and to insert one elsewhere than at the end. Each `tenant` has a log
 * of its own, which stays when its records are removed. The first call of any function creates the
 * table. `close` leaves the pool open. Throws if an option is not allowed.
 *
 * @example
 * const audit = createAuditLog({ store: openPostgresAuditStore({ pool }) });
 */
export const openPostgresAuditStore = (
  options: Pick<PostgresStoreOptions, 'pool' | 'schema' | 'tenant' | 'transactionTimeout'>,
): AuditStore => {
  const known = { pool: true, schema: true, tenant: true, transactionTimeout: true } as const;
  checkOptionNames('openPostgresAuditStore', options, known);
  const { pool, schema = defaultSchema, tenant = firstTenant, transactionTimeout = 5000 } = options;
  requirePool(pool);
  requireSchema(schema);
  requireTenant(tenant);
  requireTime({ transactionTimeout });
  const queries = createAuditQueries(auditTableOf(schema), auditStartTableOf(schema), tenant);
  const use = createExclusiveClient(pool);
  const prepare = createPrepare(use, schema);
  const locked = { lock: lockAuditLog(schema, tenant), timeout: transactionTimeout };
  let isOpen = true;

  const whileOpen = async <A>(work: () => Promise<Either<StoreError, A>>): StoreOutcome<A> => {
    if (!isOpen) return left(storeClosedError);
    try {
      await prepare();
      return await work();
    } catch (cause) {
      return left(cause instanceof InDoubtError ? outcomeUnknownError(cause) : postgresError(cause));
    }
  };

  const read = <Row>(query: PostgresQuery) =>
    whileOpen(async () => right((await use((client) => client.query(query))).rows as Row[]));

  return {
    append: (entries) =>
      whileOpen(() =>
        use((client) =>
          writeLocked(client, locked, queries.head, ([last = emptyAuditHead]) => {
            const chained = chainAuditEntries((text) => hash('sha256', text), last as AuditHead, entries);
            return { queries: [queries.insert(chained)], result: right(undefined) };
          }),
        ),
      ),
    search: (query) => read<StoredAuditEntry>(queries.search(query)),
    scan: ({ after, limit }) => read<StoredAuditEntry>(queries.scan(after, limit)),
    start: async () =>
      map(([start = emptyAuditHead]: AuditHead[]) => start)(await read<AuditHead>(queries.start)),
    removeUntil: (position) =>
      whileOpen(() =>
        use((client) =>
          writeLocked(client, locked, queries.moveStart(position), (moved) =>
            moved.length === 0
              ? { queries: [], result: left<StoreError, void>(unknownPositionError) }
              : { queries: queries.removeOld, result: right(undefined) },
          ),
        ),
      ),
    close: async () => {
      if (!isOpen) throw new ClinicalRecordsError(storeClosedError);
      isOpen = false;
    },
  };
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
