import {
  type Postgres,
  type Standby,
  startPostgres,
  startSilentProxy,
  startStandby,
} from '@clinical-records/testing-postgres';

/** A primary and its synchronous standby. Somebody promotes the standby when the primary is killed. */
export type Pair = {
  /** The database of each server. */
  readonly urls: readonly string[];
  readonly killPrimary: () => Promise<void>;
  /** Returns once commits wait for a standby, also after a failover. */
  readonly untilSynchronous: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Starts two servers. The test itself promotes the standby, and makes a new one in place of the killed server. */
export const startPair = async (): Promise<Pair> => {
  let primary: Postgres = await startPostgres();
  let standby: Standby = await startStandby(primary);
  let killed: Postgres | null = null;
  return {
    urls: [primary.url, standby.url],
    killPrimary: async () => {
      await primary.kill();
      await standby.promote();
      [killed, primary] = [primary, standby];
    },
    untilSynchronous: async () => {
      if (killed === null) return;
      await killed.stop();
      standby = await startStandby(primary, { port: killed.port });
      killed = null;
    },
    stop: async () => {
      await (killed ?? standby).stop();
      await primary.stop();
    },
  };
};

/**
 * Starts two servers behind a proxy that leads to the primary. When that is killed, connections to it stay open and silent, because the
 * proxy ends none.
 */
export const startPairBehindProxy = async (): Promise<Pair> => {
  const pair = await startPair();
  let [primary = '', standby = ''] = pair.urls;
  const proxy = await startSilentProxy(primary);
  return {
    ...pair,
    urls: [proxy.url],
    killPrimary: async () => {
      proxy.fallSilent();
      await pair.killPrimary();
      [primary, standby] = [standby, primary];
      proxy.leadTo(primary);
    },
    stop: async () => {
      proxy.close();
      await pair.stop();
    },
  };
};
