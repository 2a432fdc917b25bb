import type pg from 'pg';

/** Is called when a query is sent. The function that it returns is called when the query has ended. */
type OnQuery = () => () => void;

/** Watches the queries that the clients of a pool send. `watchClient` is called for each client. */
export const watchQueries = (pool: pg.Pool, watchClient: () => OnQuery): void => {
  pool.on('connect', (client) => {
    const onQuery = watchClient();
    const query = client.query.bind(client) as (...sent: unknown[]) => unknown;
    const watched = (...sent: unknown[]): unknown => {
      const end = onQuery();
      const callback = sent.at(-1);
      if (typeof callback === 'function')
        return query(...sent.slice(0, -1), (...results: unknown[]) => {
          end();
          callback(...results);
        });
      const result = query(...sent) as Promise<unknown>;
      result.then(end, end);
      return result;
    };
    client.query = watched as never;
  });
};
