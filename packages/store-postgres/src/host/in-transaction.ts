import {
  createCallWatch,
  misuseError,
  requireFunction,
  type StoreError,
  type Transaction,
  transactionOverError,
} from '@clinical-records/core/store';
import {
  errorCode,
  ignoreError,
  isConnectionLost,
  isTransient,
  outcomeUnknownError,
  postgresError,
  statementFailedError,
  staysLockedError,
  TransactionEndedError,
  TransactionError,
} from '../postgres-errors.ts';
import { requireTime } from '../postgres-options.ts';
import type { HostClient, PostgresQuery } from '../postgres-pool.ts';
import type { QueryBuilder } from '../statement.ts';
import { placeQuery } from '../tables/place-function.ts';
import {
  beginTransaction,
  commitTransaction,
  InDoubtError,
  RolledBackError,
  runQuery,
} from '../transaction.ts';
import { runAsWork } from './forgotten-calls.ts';
import {
  currentOf,
  joinStore,
  type OpenTransaction,
  type Rows,
  selectTransaction,
  turnsOn,
} from './open-transaction.ts';
import { connectionOf, queriesOf, queryOn } from './tools.ts';

const clientBusyError = misuseError(
  'A transaction is open on this client already. Use a client of its own for each transaction.',
);

/** The clients on which work runs. */
const busyClients = new WeakSet<HostClient>();

const rollback = { text: 'rollback' };

const endedSentence =
  'The work has ended the transaction itself. Leave COMMIT and ROLLBACK to inTransaction.';

type Settings = {
  readonly transactionTimeout: number;
  /** Queries that are sent with the begin, and whose rows the work gets. */
  readonly first: readonly PostgresQuery[];
};

/** Begins a transaction, and returns its id, and the rows of each of its first queries. */
const begin = async (
  client: HostClient,
  { transactionTimeout, first }: Settings,
): Promise<{ readonly id: string; readonly firstRows: Rows }> => {
  const queries = [...beginTransaction({ lock_timeout: transactionTimeout }), selectTransaction, ...first];
  try {
    const responses = await Promise.all(queries.map((query) => runQuery(client, query)));
    const [current = [], ...firstRows] = responses.slice(-1 - first.length).map(({ rows }) => rows);
    return { id: currentOf(current).id, firstRows };
  } catch (cause) {
    // A standby begins a transaction, and then gives it no id.
    await client.query(rollback).catch(ignoreError);
    throw new TransactionError(postgresError(cause));
  }
};

/** Divides by zero if another transaction is open, or none. */
const guardOf = (id: string): PostgresQuery => ({
  text: 'select 1 / (pg_current_xact_id()::text = $1)::integer as is_open',
  values: [id],
});

const commitErrorOf = (cause: unknown): StoreError => {
  if (cause instanceof InDoubtError) return outcomeUnknownError(cause);
  if (cause instanceof RolledBackError) return statementFailedError;
  return isTransient(cause) ? staysLockedError(cause) : postgresError(cause);
};

/** The error of a guard that has failed. Without a code, the connection is lost. */
const guardError = (cause: unknown): Error =>
  errorCode(cause) === '22012'
    ? new TransactionEndedError(endedSentence)
    : new TransactionError(postgresError(cause));

/**
 * Commits the transaction, unless another one is open, or none, or a statement in it has failed. Then it returns the error, and COMMIT
 * has committed nothing. Statements that the work has not awaited run before.
 */
const commit = async (
  client: HostClient,
  id: string,
  queries: readonly PostgresQuery[],
): Promise<Error | null> => {
  const guarded = runQuery(client, guardOf(id)).then(
    () => null,
    (cause: unknown) => cause,
  );
  const refusal = client.pipeline ? null : await guarded;
  if (refusal !== null) return guardError(refusal);
  try {
    await commitTransaction(client, queries);
    const late = await guarded;
    return late === null ? null : guardError(late);
  } catch (cause) {
    const late = await guarded;
    if (late !== null && !isConnectionLost(late)) return guardError(late);
    // The error of a COMMIT comes before the client knows that the transaction is over.
    if (!(cause instanceof InDoubtError)) await client.query(rollback).catch(ignoreError);
    throw new TransactionError(commitErrorOf(cause));
  }
};

/** The error of a transaction that the work has ended, so that it has committed some of it, all or nothing. */
const inDoubtError = (cause: unknown): TransactionError =>
  new TransactionError(
    outcomeUnknownError(
      new Error('The transaction was neither committed nor rolled back by inTransaction', { cause }),
    ),
  );

/** Whether a transaction that is over was committed; null if that is not known. */
const wasCommitted = async (client: HostClient, id: string): Promise<boolean | null> => {
  const status = { text: 'select pg_xact_status($1::xid8) as status', values: [id] };
  try {
    const { rows } = await client.query(status);
    return (rows as readonly { readonly status: string | null }[])[0]?.status === 'committed';
  } catch {
    return null;
  }
};

/** Rolls back what is open, and returns whether the transaction is then known to be rolled back. */
const rollBackOpen = async (client: HostClient, id: string): Promise<boolean> => {
  const isOver = client.getTransactionStatus() === 'I';
  // If it fails, the connection is lost, or the transaction stays open: no store uses such a client.
  const isCommitted = await client.query(rollback).then(
    () => wasCommitted(client, id),
    () => null,
  );
  // PostgreSQL rolls back what was open when a connection was lost.
  return isCommitted === null ? !isOver : !isCommitted;
};

/** The tenants whose versions a transaction places before its COMMIT. */
const createPlacements = () => {
  /** The numbers of tenants by their schemas. */
  const unplaced = new Map<string, Set<number>>();
  return {
    add: ({ schema, tenant: { number } }: QueryBuilder): void => {
      const tenants = unplaced.get(schema) ?? new Set();
      if (number !== null) unplaced.set(schema, tenants.add(number));
    },
    // Every transaction places in the same order, so that no two of them wait for each other.
    queries: (): readonly PostgresQuery[] =>
      [...unplaced.keys()].sort().map((schema) => placeQuery(schema, [...(unplaced.get(schema) ?? [])])),
  };
};

/** Runs work in one transaction: see `inTransaction`. */
export const runInTransaction = async <A>(
  client: HostClient,
  work: (tx: Transaction, firstRows: Rows, transaction: OpenTransaction) => PromiseLike<A>,
  { transactionTimeout, first }: Settings,
): Promise<A> => {
  if (busyClients.has(client) || client.getTransactionStatus() !== 'I') {
    throw new TransactionError(clientBusyError);
  }
  const inTurn = turnsOn(client);
  let isRunning = true;
  let stage: 'work' | 'end' | 'commit' = 'work';
  const placements = createPlacements();
  const open = (id: string): OpenTransaction => ({
    connection: connectionOf(client),
    // The transaction has begun with its limits.
    enter: () => selectTransaction,
    leave: null,
    id: () => id,
    check: (current) => {
      if (current.id !== id) throw new TransactionEndedError(endedSentence);
    },
    endedSentence,
    placeBeforeCommit: placements.add,
    transactionTimeout,
    inTurn: (run) =>
      inTurn(() => {
        if (isRunning) return run();
        throw new TransactionError(transactionOverError);
      }),
  });
  /** Calls that were not awaited end, and nothing else begins. */
  const end = async (): Promise<void> => {
    isRunning = false;
    await inTurn(async () => {});
  };

  busyClients.add(client);
  client.on('error', ignoreError);
  try {
    const { id, firstRows } = await begin(client, { transactionTimeout, first });
    const transaction = open(id);
    try {
      const { watch, requireEnded } = createCallWatch();
      const tx: Transaction = {
        join: (store) => joinStore(store, transaction),
        connection: queriesOf(client, queryOn(client), transaction.inTurn),
        watch,
      };
      const result = await runAsWork(client, () => work(tx, firstRows, transaction));
      requireEnded();
      await end();
      stage = 'commit';
      const refusal = await commit(client, id, placements.queries());
      if (refusal === null) return result;
      stage = 'end';
      throw refusal;
    } catch (cause) {
      await end();
      if (stage === 'commit') throw cause;
      const isUndone = await rollBackOpen(client, id);
      if (isUndone && !(cause instanceof TransactionEndedError)) throw cause;
      throw inDoubtError(stage === 'work' ? cause : new TransactionEndedError(endedSentence));
    }
  } finally {
    client.removeListener('error', ignoreError);
    busyClients.delete(client);
  }
};

/**
 * Runs work in one transaction on a client: the host's statements on the client, and what `records.in(tx)` does. All of
 * it is committed when the work resolves, and rolled back when it rejects. It is also rolled back if a call of `records.in(tx)`
 * still runs when the work resolves: it was not awaited. Nothing else takes part, and nothing else waits, but writes of the same
 * records. A call of `records` by the work without `in(tx)` is refused at once (`Misuse`).
 *
 * The client is one of a pool of pg on the store's database, and only the work uses it. Rejects with the reason of the
 * work, or with an Error that names the calls that were not awaited. Rejects with a `ClinicalRecordsError`, a `StoreFailure`,
 * if it cannot begin or commit. Its rule is `outcome-unknown` if the connection is lost at the COMMIT, or if the work has
 * sent COMMIT or ROLLBACK itself. No statement of the
 * transaction waits longer than `transactionTimeout` milliseconds (5000) for a lock.
 *
 * @example
 * const client = await pool.connect();
 * try {
 *   await inTransaction(client, async (tx) => {
 *     await client.query('insert into appointments values ($1, $2)', [patientId, time]);
 *     await records.in(tx).chart.record(order, { by });
 *   });
 * } finally {
 *   client.release();
 * }
 */
export const inTransaction = async <A>(
  client: HostClient,
  work: (tx: Transaction) => PromiseLike<A>,
  { transactionTimeout = 5000 }: { readonly transactionTimeout?: number } = {},
): Promise<A> => {
  requireTime({ transactionTimeout });
  requireFunction(client, 'getTransactionStatus', 'inTransaction needs a client: await pool.connect().');
  return runInTransaction(client, work, { transactionTimeout, first: [] });
};
