import type { PostgresClient, PostgresQuery, PostgresResult } from '../postgres-pool.ts';

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
  const [, assigned] = await Promise.all([client.query(begin), client.query(assignTransaction)]);
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
