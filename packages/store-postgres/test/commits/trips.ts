import type { Socket } from 'node:net';
import type pg from 'pg';
import { openPool } from '../tenants/databases.ts';

/** The queries of the clients of a pool since they were counted last. */
type Traffic = {
  /** How often something was sent after an answer: what follows before the next answer is in the same round trip. */
  readonly trips: number;
  readonly queries: number;
  /** The most queries that a client had at the same time. */
  readonly most: number;
};

const none: Traffic = { trips: 0, queries: 0, most: 0 };

type Query = (...sent: unknown[]) => unknown;

/** Calls back when a query of a client has ended, however it was sent. */
const sendQuery = (query: Query, sent: readonly unknown[], onEnd: () => void): unknown => {
  const callback = sent.at(-1);
  if (typeof callback === 'function')
    return query(...sent.slice(0, -1), (...results: unknown[]) => {
      onEnd();
      callback(...results);
    });
  const result = query(...sent) as Promise<unknown>;
  result.then(onEnd, onEnd);
  return result;
};

/** A pool whose clients count what they send, and the function that returns it, and begins again. */
export const openCountingPool = (url: string, options: pg.PoolConfig) => {
  const pool = openPool(url, options);
  let traffic = none;
  const watchSocket = ({ connection }: { readonly connection: { readonly stream: Socket } }) => {
    const { stream } = connection;
    let isAnswered = true;
    stream.prependListener('data', () => {
      isAnswered = true;
    });
    const write = stream.write.bind(stream) as (...sent: unknown[]) => boolean;
    stream.write = (...sent: unknown[]) => {
      if (isAnswered) traffic = { ...traffic, trips: traffic.trips + 1 };
      isAnswered = false;
      return write(...sent);
    };
  };
  pool.on('connect', (client) => {
    watchSocket(client as never);
    const query = client.query.bind(client) as Query;
    let running = 0;
    client.query = ((...sent: unknown[]) => {
      running += 1;
      traffic = { ...traffic, queries: traffic.queries + 1, most: Math.max(traffic.most, running) };
      return sendQuery(query, sent, () => {
        running -= 1;
      });
    }) as never;
  });
  return {
    pool,
    takeTraffic: (): Traffic => {
      const taken = traffic;
      traffic = none;
      return taken;
    },
  };
};
