import type { ClinicalStore, StoreError } from '@clinical-records/core/store';
import type { Either } from 'fp-ts/lib/Either.js';
import { EndedByWorkError, isConnectionLost, isTransient } from '../postgres-errors.ts';
import type { PostgresClient, PostgresQuery, PostgresResult } from '../postgres-pool.ts';
import { runQuery } from '../transaction.ts';

/** A transaction of the host, while its work runs. */
export type OpenTransaction = {
  readonly client: PostgresClient;
  /** The id that PostgreSQL has given it. */
  readonly id: string;
  /** How many milliseconds a commit may wait for other transactions. */
  readonly transactionTimeout: number;
  /** Does work on the client after all work before it, or returns an error if the transaction is over. */
  readonly inTurn: <A>(work: () => Promise<Either<StoreError, A>>) => Promise<Either<StoreError, A>>;
  /** Adds a function that is called when the transaction is over, committed or not. */
  readonly onEnd: (listener: () => void) => void;
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

/** A store whose reads and commits are part of an open transaction. */
export const joinStore = (store: ClinicalStore, transaction: OpenTransaction): ClinicalStore => {
  const join = joiners.get(store);
  if (join === undefined) {
    throw new Error('Only a store that openPostgresStore opened can join the transaction.');
  }
  return join(transaction);
};

/** The id of the transaction, which it gets by this query. */
const assignTransaction: PostgresQuery = { text: 'select pg_current_xact_id()::text as id' };

/** The id of the transaction; null if it has none yet. */
export const selectTransaction: PostgresQuery = {
  text: 'select pg_current_xact_id_if_assigned()::text as id',
};

const idOf = ({ rows }: PostgresResult): string | null =>
  (rows as readonly { readonly id: string | null }[])[0]?.id ?? null;

/** Whether `selectTransaction` has found the transaction with an id. */
export const isTransaction = (result: PostgresResult, id: string): boolean => idOf(result) === id;

/** Begins a transaction by a query, and returns its id. */
export const beginWithId = async (client: PostgresClient, begin: PostgresQuery): Promise<string> => {
  const [, assigned] = await Promise.all([runQuery(client, begin), runQuery(client, assignTransaction)]);
  return idOf(assigned) ?? '';
};

/** Whether a transaction that is over was committed; null if that is not known. */
export const wasCommitted = async (client: PostgresClient, id: string): Promise<boolean | null> => {
  const status: PostgresQuery = { text: 'select pg_xact_status($1::xid8) as status', values: [id] };
  try {
    const { rows } = await client.query(status);
    return (rows as readonly { readonly status: string | null }[])[0]?.status === 'committed';
  } catch {
    return null;
  }
};

type Place = Pick<OpenTransaction, 'client' | 'id'>;

type Rows = readonly (readonly unknown[])[];

const savepoint = { text: 'savepoint clinical_records' };
const release = { text: 'release savepoint clinical_records' };
const undo = { text: 'rollback to savepoint clinical_records; release savepoint clinical_records' };

/**
 * On a client with a pipeline they are sent together. So no statement that the host has not awaited comes between them, and is
 * undone with them unnoticed. If the work has ended the transaction, they run in another one, or each by itself: those that are first must be harmless there.
 */
const tryInSavepoint = async ({ client, id }: Place, queries: readonly PostgresQuery[]): Promise<Rows> => {
  const [begun, current, ...results] = await Promise.allSettled(
    [savepoint, selectTransaction, ...queries, release].map((query) => runQuery(client, query)),
  );
  if (begun?.status === 'rejected') throw begun.reason;
  if (current?.status === 'rejected') throw current.reason;
  if (current !== undefined && !isTransaction(current.value, id)) throw new EndedByWorkError();
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined) {
    if (!isConnectionLost(failure.reason)) await runQuery(client, undo);
    throw failure.reason;
  }
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.rows] : []));
};

/**
 * Runs queries in a transaction so that all of them are undone if one fails, and the transaction goes on. Returns the rows
 * of each. If another transaction was in the way, they run again until a time by `performance.now()`.
 */
export const runInSavepoint = async (
  transaction: Place,
  queries: readonly PostgresQuery[],
  end: number,
): Promise<Rows> => {
  for (;;) {
    try {
      return await tryInSavepoint(transaction, queries);
    } catch (cause) {
      if (!isTransient(cause) || performance.now() > end) throw cause;
    }
  }
};
