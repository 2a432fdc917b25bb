import type { PostgresClient, PostgresQuery, PostgresResult } from './postgres-pool.ts';

/**
 * Runs a query that may have large rows or values. If pg makes the promise, V8 keeps nearly all rows until it collects the
 * old objects. So pg gets a callback. A client that the host has wrapped may return a promise instead.
 */
export const runQuery = (client: PostgresClient, query: PostgresQuery): Promise<PostgresResult> =>
  new Promise((resolve, reject) => {
    const returned = client.query(query, (error, result) => {
      if (error) reject(error);
      else resolve(result);
    }) as Partial<PromiseLike<PostgresResult>> | undefined;
    returned?.then?.(resolve, reject);
  });
