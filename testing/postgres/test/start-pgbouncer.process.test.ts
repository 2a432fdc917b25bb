import { Client } from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createDatabase, findPgBouncer, startPgBouncer, startPostgres } from '../index.ts';
import { query } from './query.ts';

const connect = async (url: string) => {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
};

const processOf = async (client: Client) =>
  (await client.query('select pg_backend_pid() as pid')).rows[0].pid as number;

const isMissing = findPgBouncer() === null;

describe.skipIf(isMissing)(`behind PgBouncer${isMissing ? ', which is not installed' : ''}`, () => {
  test('clients share a connection of the server, and each has it for one transaction', async () => {
    const database = await createDatabase(inject('postgresUrl'));
    onTestFinished(database.drop);
    const pgBouncer = await startPgBouncer(database.url, { settings: { default_pool_size: '1' } });
    onTestFinished(pgBouncer.stop);
    const [one, other] = await Promise.all([connect(pgBouncer.url), connect(pgBouncer.url)]);
    expect(await processOf(one)).toBe(await processOf(other));

    await one.query('begin');
    const steps: string[] = [];
    const waiting = processOf(other).then(() => steps.push('other'));
    await processOf(one);
    steps.push('commit');
    await one.query('commit');
    await waiting;
    expect(steps).toEqual(['commit', 'other']);
    expect((await one.query('select current_database() as name')).rows).toEqual([
      { name: new URL(database.url).pathname.slice(1) },
    ]);
  });

  test('the pool can be redirected to another server', async () => {
    const port = 'select inet_server_port() as port';
    const other = await startPostgres({ settings: { fsync: 'off' } });
    onTestFinished(other.stop);
    const pgBouncer = await startPgBouncer(inject('postgresUrl'));
    onTestFinished(pgBouncer.stop);
    expect(await query(pgBouncer.url, port)).not.toEqual([{ port: other.port }]);
    await pgBouncer.redirect(other.url);
    expect(await query(pgBouncer.url, port)).toEqual([{ port: other.port }]);
  });
});
