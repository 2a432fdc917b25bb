import { ClinicalRecordsError } from '@clinical-records/core';
import { type ClinicalStore, createSlots, misuseError } from '@clinical-records/core/store';
import {
  ignoreError,
  isConnectionLost,
  isOutsideTransaction,
  isTransient,
  TransactionEndedError,
} from '../postgres-errors.ts';
import type { PostgresQuery } from '../postgres-pool.ts';
import type { QueryBuilder, Tenant } from '../statement.ts';
import { msUntil } from '../write/waiting.ts';

/** Rows, and the transaction in which they were read. */
type RowsInTransaction = { readonly rows: readonly unknown[]; readonly current: CurrentTransaction };

export type HostConnection = {
  /** Runs a query, and returns its rows as the connection parses them. */
  readonly run: (query: PostgresQuery) => Promise<readonly unknown[]>;
  /** Runs a query that only reads or locks, and returns its rows. */
  readonly read: (query: PostgresQuery) => Promise<readonly unknown[]>;
  /**
   * Runs a query that only reads, and finds the transaction in the same round trip. Null for a connection that takes queries before
   * earlier ones are answered. Any other one takes plain values.
   */
  readonly readInTransaction: ((query: PostgresQuery) => Promise<RowsInTransaction>) | null;
};

export type OpenTransaction = {
  readonly connection: HostConnection;
  /** Finds the current transaction, and limits for a call how many milliseconds a statement waits for a lock. */
  readonly enter: (milliseconds: number) => PostgresQuery;
  /** Runs at the end of a call; null if there is nothing to restore. */
  readonly leave: PostgresQuery | null;
  /** The id that PostgreSQL has given it; null before its first `check`. */
  readonly id: () => string | null;
  /**
   * Must be called with what `enter` has found. Throws if that is another transaction, or one that cannot be
   * joined.
   */
  readonly check: (current: CurrentTransaction) => void;
  /** The message of the error if there is no transaction, or another one. */
  readonly endedSentence: string;
  /** The tenant of a store that joins it. */
  readonly tenant?: Tenant;
  /**
   * Must be called with the tenant of distributed tables for which a call has written, so that it is placed before the
   * COMMIT; null if nothing can be done before it.
   */
  readonly placeBeforeCommit: ((builder: QueryBuilder) => void) | null;
  /** How many milliseconds a call may wait for other transactions, if not as long as the store says. */
  readonly transactionTimeout?: number;
  /** Does work on the connection after all work before it. Throws if the transaction is over. */
  readonly inTurn: <A>(work: () => Promise<A>) => Promise<A>;
};

/** How each open store joins a transaction of its host. */
const joiners = new WeakMap<ClinicalStore, (transaction: OpenTransaction) => ClinicalStore>();

export const makeJoinable = <Store extends ClinicalStore>(
  store: Store,
  join: (transaction: OpenTransaction) => ClinicalStore,
): Store => {
  joiners.set(store, join);
  return store;
};

const otherStoreError = misuseError('Only a store that openPostgresStore opened can join the transaction.');

/** A store whose reads and commits are part of an open transaction. */
export const joinStore = (store: ClinicalStore, transaction: OpenTransaction): ClinicalStore => {
  const join = joiners.get(store);
  if (join === undefined) throw new ClinicalRecordsError(otherStoreError);
  return join(transaction);
};

type InTurn = ReturnType<typeof createSlots>;

/** The turns on each connection that a host has passed. */
const turns = new WeakMap<object, InTurn>();

/** Does work on a connection after all work before it. */
export const turnsOn = (connection: object): InTurn => {
  const existing = turns.get(connection) ?? createSlots(1);
  turns.set(connection, existing);
  return existing;
};

/** The transaction in which a query has run. */
export type CurrentTransaction = { readonly id: string; readonly isolation: string };

/** Finds the transaction in which it runs, and marks it for a write behind it. Outside of a transaction, the mark is gone at once. */
export const selectTransaction = {
  text: `select pg_current_xact_id()::text as id, current_setting('transaction_isolation') as isolation,
    set_config('clinical_records.joined', pg_current_xact_id()::text, true) as mark`,
};

/**
 * Also sets how long a statement waits for a lock, unless the host has set a shorter time, and that statements are not compiled.
 * Keeps what the host has set.
 */
export const selectAndLimit = (milliseconds: number): PostgresQuery => ({
  text: `${selectTransaction.text},
    set_config('clinical_records.lock_timeout', current_setting('lock_timeout'), true) as kept_lock_timeout,
    set_config('clinical_records.jit', current_setting('jit'), true) as kept_jit,
    set_config('lock_timeout', least(${milliseconds},
      nullif(extract(epoch from current_setting('lock_timeout')::interval) * 1000, 0))::bigint::text, true) as lock_timeout,
    set_config('jit', 'off', true) as jit`,
});

/** Sets again what the host had set. */
export const unlimit: PostgresQuery = {
  text: `select set_config('lock_timeout', current_setting('clinical_records.lock_timeout'), true) as lock_timeout,
    set_config('jit', current_setting('clinical_records.jit'), true) as jit`,
};

export const currentOf = ([row]: readonly unknown[]): CurrentTransaction => row as CurrentTransaction;

/** The rows of each of several queries. */
export type Rows = readonly (readonly unknown[])[];

/** Queries that run together: those that return no rows, and then those that only read or lock. */
type Queries = { readonly writes?: readonly PostgresQuery[]; readonly reads?: readonly PostgresQuery[] };

const savepoint = { text: 'savepoint clinical_records' };
const release = { text: 'release savepoint clinical_records' };
const undo = { text: 'rollback to savepoint clinical_records' };

/**
 * Names the tenant until the end of the transaction, or until a store of another one is called. On the server of a tenant of Citus,
 * it limits how long a statement waits for a lock until a time by `performance.now()`.
 */
const settingsFor = (tenant: Tenant | undefined, end: number): readonly PostgresQuery[] => [
  ...(tenant?.isGuarded
    ? [{ text: `select set_config('clinical_records.tenant', $1::text, true)`, values: [`${tenant.number}`] }]
    : []),
  ...(tenant?.isDistributed
    ? [
        { text: `set local citus.propagate_set_commands = 'local'` },
        { text: `set local lock_timeout = ${msUntil(end)}` },
      ]
    : []),
];

/** Does steps one after the other until one fails, and returns the results of all that began. */
const settleInOrder = async <A>(
  steps: readonly (() => Promise<A>)[],
): Promise<readonly PromiseSettledResult<A>[]> => {
  const settled: PromiseSettledResult<A>[] = [];
  for (const step of steps) {
    const [result] = await Promise.allSettled([step()]);
    settled.push(result);
    if (result.status === 'rejected') break;
  }
  return settled;
};

/**
 * On a connection with a pipeline they are sent together. So no statement that the host has not awaited comes between them, and is
 * undone with them unnoticed. If the work has ended the transaction, they run in another one, or each by itself: those that are
 * first must be harmless there.
 */
const tryInSavepoint = async (
  {
    connection: { run, read, readInTransaction },
    enter,
    leave,
    check,
    endedSentence,
    tenant,
  }: OpenTransaction,
  { reads = [], ...queries }: Queries,
  end: number,
): Promise<Rows> => {
  const writes = [...settingsFor(tenant, end), ...(queries.writes ?? [])];
  const steps = [
    () => run(savepoint),
    async () => check(currentOf(await read(enter(msUntil(end))))),
    ...writes.map((query) => () => run(query)),
    ...reads.map((query) => () => read(query)),
    ...(leave === null ? [] : [() => run(leave)]),
    () => run(release),
  ];
  const settled = await (readInTransaction === null
    ? Promise.allSettled(steps.map((step) => step()))
    : settleInOrder<unknown>(steps));
  const failed = settled.findIndex((result) => result.status === 'rejected');
  if (failed === -1)
    return settled
      .slice(2 + writes.length, 2 + writes.length + reads.length)
      .map((result) => (result as PromiseFulfilledResult<readonly unknown[]>).value);
  const { reason } = settled[failed] as PromiseRejectedResult;
  if (failed === 0) throw isOutsideTransaction(reason) ? new TransactionEndedError(endedSentence) : reason;
  if (!isConnectionLost(reason)) {
    await run(undo);
    await run(release);
  } else if (failed === 1 && readInTransaction !== null) {
    // It is the savepoint of another transaction.
    await run(release).catch(ignoreError);
  }
  throw reason;
};

/**
 * Runs queries in a transaction so that all of them are undone if one fails, and the transaction goes on. Returns the rows
 * of the reads. If another transaction was in the way, they run again until a time by `performance.now()`.
 */
export const runInSavepoint = async (
  transaction: OpenTransaction,
  queries: Queries,
  end: number,
): Promise<Rows> => {
  for (;;) {
    try {
      return await tryInSavepoint(transaction, queries, end);
    } catch (cause) {
      if (!isTransient(cause) || performance.now() > end) throw cause;
    }
  }
};

/**
 * Reads in a transaction, in one round trip. On a connection with a pipeline, a read that fails is undone, and the transaction goes
 * on. On any other one it is one statement, so that the transaction has failed, too. As the first call, it does not know whether there
 * is a transaction.
 */
export const readIn = async (
  transaction: OpenTransaction,
  query: PostgresQuery,
  end: number,
): Promise<readonly unknown[]> => {
  const { connection, check, tenant } = transaction;
  if (connection.readInTransaction === null) {
    const [rows = []] = await runInSavepoint(transaction, { reads: [query] }, end);
    return rows;
  }
  for (const setting of settingsFor(tenant, end)) await connection.run(setting);
  const { rows, current } = await connection.readInTransaction(query);
  check(current);
  return rows;
};
