import { startStandby } from '@clinical-records/testing-postgres';
import { Client } from 'pg';
import { startChild } from '../child/start-child.ts';
import type { Load, LoadResult } from '../load/load.ts';
import type { PostgresClinic } from '../postgres-clinic.ts';
import { compareRates, type Result } from '../results.ts';
import type { ServerStatus } from '../servers/serve-listener.ts';
import type { Settings } from '../settings.ts';
import { interleavedMedians } from './interleaved.ts';

/** Lets commits wait for the standby, or not. It applies them in either case. */
const waitForStandby = async (client: Client, waits: boolean): Promise<void> => {
  await client.query(`alter system set synchronous_standby_names = '${waits ? '*' : ''}'`);
  await client.query('select pg_reload_conf()');
  const state = waits ? "sync_state = 'sync'" : "sync_state = 'async'";
  while ((await client.query(`select from pg_stat_replication where ${state}`)).rowCount === 0);
};

const work = 'PostgreSQL: create, with a synchronous standby';

/** Measures creates with a synchronous standby on the same machine, and with one that nobody waits for. */
export const measureStandby = async (
  postgres: PostgresClinic,
  { records, rounds, seconds, works }: Settings & { readonly records: number },
  report: (result: Result) => void,
): Promise<void> => {
  if (!works.test(work)) return;
  const standby = await startStandby(postgres.server);
  const client = new Client({ connectionString: postgres.server.url });
  await client.connect();
  const server = await startChild<object, ServerStatus>(
    'servers/ours-postgres.ts',
    postgres.ours,
    postgres.server.folder,
  );
  const load = await startChild<Load, LoadResult>('load/load.ts');
  const requests = { kind: 'create in encounter', records } as const;
  const createCandidate = (waits: boolean) => async (seed: number) => {
    await waitForStandby(client, waits);
    const before = await server.ask({});
    const { perSecond, served } = await load.ask({
      origin: before.origin,
      connections: 32,
      seconds,
      requests,
      seed,
    });
    const { processorMicroseconds } = await server.ask({});
    return { perSecond, microsecondsEach: (processorMicroseconds - before.processorMicroseconds) / served };
  };
  const [withStandby, without] = await interleavedMedians(
    [createCandidate(true), createCandidate(false)],
    rounds,
  );
  report({
    work,
    records,
    floor: 'a standby that nobody waits for',
    target: 0.6,
    ...compareRates(withStandby, without),
    anonymousMiB: null,
  });
  await load.stop();
  await server.stop();
  await waitForStandby(client, false);
  await client.end();
  await standby.stop();
};
