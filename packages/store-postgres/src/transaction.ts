import { errorCode, ignoreError, isConnectionLost, silence } from './postgres-errors.ts';
import type {
  PostgresClient,
  PostgresNotice,
  PostgresQuery,
  PostgresResult,
  QueryRunner,
} from './postgres-pool.ts';
import { type LateError, within } from './within.ts';

/**
 * Sends a query that may have large rows or values. If pg makes the promise, V8 keeps nearly all rows until it collects the
 * old objects. So pg gets a callback. A client that the host has wrapped may return a promise instead.
 */
const sendQuery = (client: QueryRunner, query: PostgresQuery): Promise<PostgresResult> =>
  new Promise((resolve, reject) => {
    const returned = client.query(query, (error, result) => {
      if (error) reject(error);
      else resolve(result);
    }) as Partial<PromiseLike<PostgresResult>> | undefined;
    returned?.then?.(resolve, reject);
  });

/** The end of the last query on each client without a pipeline. It rejects if the connection was lost. */
const lastQueries = new WeakMap<QueryRunner, Promise<unknown>>();

/**
 * Runs a query after those that were passed before. A client with a pipeline sends it at once. Any other client runs one query
 * at a time, so it gets the next one once it has answered, and none after its connection is lost.
 */
export const runQuery = (client: QueryRunner, query: PostgresQuery): Promise<PostgresResult> => {
  if (client.pipeline) return sendQuery(client, query);
  const result = (lastQueries.get(client) ?? Promise.resolve()).then(() => sendQuery(client, query));
  const end = result.catch((cause: unknown) => {
    if (isConnectionLost(cause)) throw cause;
  });
  end.catch(ignoreError);
  lastQueries.set(client, end);
  return result;
};

/** A transaction may be committed or not, or may be lost with the primary. The message is the reason. */
export class InDoubtError extends Error {}

/** A connection was lost, and the transaction on it is not and will not be committed. Its cause is that of the loss. */
export class NotWrittenError extends Error {}

/** PostgreSQL has rolled a transaction back instead of committing it, because a statement in it had failed. */
export class RolledBackError extends Error {}

/** Settings of PostgreSQL for a transaction. Times are in milliseconds. */
export type TransactionSettings = {
  readonly lock_timeout?: number;
  /** If the host has set a shorter one, that one holds. */
  readonly statement_timeout?: number;
  readonly idle_in_transaction_session_timeout?: number;
  /** Shows statements that they are in this transaction, and do not run each by itself because it did not begin. */
  readonly 'clinical_records.transaction'?: string;
  /** The number of the tenant whose rows are shown, with row level security. */
  readonly 'clinical_records.tenant'?: string;
  /** With `local`, Citus passes the settings that follow on to other servers. */
  readonly 'citus.propagate_set_commands'?: 'local';
};

/** Shortens the timeout of the host, in which 0 means that there is none. */
const shortenStatementTimeout = (milliseconds: number): string =>
  `select set_config('statement_timeout', least(${milliseconds},
    nullif(extract(epoch from current_setting('statement_timeout')::interval) * 1000, 0))::int::text, true)`;

/**
 * The queries that begin a transaction. The settings end with it. PostgreSQL would compile large statements for a second,
 * which run for a millisecond. It is one query, unless Citus passes the settings on: it does so with the whole query of each.
 */
export const beginTransaction = ({
  statement_timeout,
  ...settings
}: TransactionSettings): readonly PostgresQuery[] => {
  const parts = [
    'begin isolation level read committed',
    ...Object.entries({ jit: 'off', ...settings }).map(([name, value]) => `set local ${name} = '${value}'`),
    ...(statement_timeout === undefined ? [] : [shortenStatementTimeout(statement_timeout)]),
  ];
  const isPassedOn = settings['citus.propagate_set_commands'] !== undefined;
  return (isPassedOn ? parts : [parts.join('; ')]).map((text) => ({ text }));
};

/** PostgreSQL reports a commit although its wait for a synchronous standby was cancelled. Only this notice says so. */
const isWaitCancelled = ({ routine }: PostgresNotice): boolean => routine === 'SyncRepWaitForLSN';

type Responses = PromiseSettledResult<PostgresResult>[];

/** Runs queries together, and returns what became of each. With a limit, it waits for so many milliseconds. */
const settleAll = (
  client: PostgresClient,
  queries: readonly PostgresQuery[],
  limit: number | undefined,
): Promise<Responses> => {
  const settled = Promise.allSettled(queries.map((query) => runQuery(client, query)));
  return limit === undefined ? settled : within(limit, settled);
};

const commit: PostgresQuery = { text: 'commit' };

/** Citus says so of a COMMIT of which the server of the tenant has not answered. */
const isInDoubt = (cause: unknown): boolean => /^(?:08|XX)/.test(errorCode(cause) ?? '');

/**
 * Sends queries together, the last of which commits, and returns their responses. Throws an `InDoubtError` if a
 * connection was lost, if there is no answer within a limit in milliseconds, or if the standby may lack the commit.
 */
const sendAll = async (client: PostgresClient, queries: readonly PostgresQuery[], limit?: number) => {
  let isOnPrimaryOnly = false;
  const onNotice = (notice: PostgresNotice) => {
    isOnPrimaryOnly ||= isWaitCancelled(notice);
  };
  client.on('notice', onNotice);
  const results = await settleAll(client, queries, limit)
    .catch((cause: LateError) => {
      throw new InDoubtError(silence, { cause });
    })
    .finally(() => client.removeListener('notice', onNotice));
  if (isOnPrimaryOnly) throw new InDoubtError('The wait for the synchronous standby was cancelled');
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined) {
    // After an error of a query, PostgreSQL does not commit, whatever comes afterwards.
    if (isConnectionLost(failure.reason))
      throw new InDoubtError('The connection to PostgreSQL was lost', { cause: failure.reason });
    if (queries.at(-1) === commit && results.at(-1) === failure && isInDoubt(failure.reason))
      throw new InDoubtError('The COMMIT has failed', { cause: failure.reason });
    throw failure.reason;
  }
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
};

/**
 * Runs queries, the last ones of a transaction, and commits it, all of it sent at once. If it throws anything but
 * `InDoubtError`, nothing of the transaction is or will be committed. Returns the rows of each query.
 */
export const commitTransaction = async (
  client: PostgresClient,
  queries: readonly PostgresQuery[],
  limit?: number,
): Promise<readonly (readonly unknown[])[]> => {
  const responses = await sendAll(client, [...queries, commit], limit);
  if (responses.pop()?.command !== 'COMMIT') throw new RolledBackError('COMMIT was answered with ROLLBACK.');
  return responses.map(({ rows }) => rows);
};

/**
 * Begins a transaction, and runs its first queries. Returns the rows of each. If it throws, the transaction is over, and has
 * written nothing: so it is without an answer within a limit in milliseconds.
 */
export const openTransaction = async (
  client: PostgresClient,
  queries: readonly PostgresQuery[],
  settings: TransactionSettings = {},
  limit?: number,
): Promise<readonly (readonly unknown[])[]> => {
  const begin = beginTransaction(settings);
  const results = await settleAll(client, [...begin, ...queries], limit).catch((cause: LateError) => {
    throw new NotWrittenError(`${silence}.`, { cause });
  });
  const failure = results.find((result) => result.status === 'rejected');
  if (failure === undefined)
    return results
      .slice(begin.length)
      .flatMap((result) => (result.status === 'fulfilled' ? [result.value.rows] : []));
  if (isConnectionLost(failure.reason))
    throw new NotWrittenError('The connection to PostgreSQL was lost.', { cause: failure.reason });
  await runQuery(client, { text: 'rollback' });
  throw failure.reason;
};

/** Runs a query that is a whole transaction. Its errors are those of `commitTransaction`. */
export const runAutocommit = async (
  client: PostgresClient,
  query: PostgresQuery,
  limit?: number,
): Promise<void> => {
  await sendAll(client, [query], limit);
};

/** Runs queries in a transaction of their own, as `commitTransaction` does. */
export const runTransaction = async (
  client: PostgresClient,
  queries: readonly PostgresQuery[],
  settings: TransactionSettings = {},
  limit?: number,
): Promise<readonly (readonly unknown[])[]> => {
  const begin = beginTransaction(settings);
  return (await commitTransaction(client, [...begin, ...queries], limit)).slice(begin.length);
};

/** Does work, statement by statement, in a transaction on a client. */
export const inOwnTransaction = async <A>(
  client: PostgresClient,
  work: () => Promise<A>,
  settings: TransactionSettings = {},
): Promise<A> => {
  for (const query of beginTransaction(settings)) await client.query(query);
  try {
    const result = await work();
    await client.query({ text: 'commit' });
    return result;
  } catch (cause) {
    await client.query({ text: 'rollback' });
    throw cause;
  }
};
