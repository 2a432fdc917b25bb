import { existsSync } from 'node:fs';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '../index.ts';
import { untilEnded } from './until-ended.ts';

const query = async (url: string, statement: string) => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(statement).finally(() => client.end());
  return rows;
};

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('a server answers with its settings, and leaves no process and no folder', async () => {
  const postgres = await startPostgres({ settings: { work_mem: '2MB' } });
  const [{ pid, mem }] = await query(
    postgres.url,
    `select current_setting('work_mem') as mem, pg_backend_pid() as pid`,
  );
  expect(mem).toBe('2MB');
  await postgres.stop();
  expect(isRunning(pid)).toBe(false);
  expect(existsSync(postgres.folder)).toBe(false);
  await expect(query(postgres.url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a killed server ends its connections, and has what was committed when it starts again', async () => {
  const postgres = await startPostgres();
  onTestFinished(postgres.stop);
  await query(postgres.url, 'create table t as select 7 as n');
  const client = new Client({ connectionString: postgres.url });
  const ended = untilEnded(client);
  await client.connect();

  await Promise.all([postgres.kill(), ended]);
  await expect(query(postgres.url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await postgres.restart();
  expect(await query(postgres.url, 'select n from t')).toEqual([{ n: 7 }]);
});

test('a restart may change settings', async () => {
  const postgres = await startPostgres({ settings: { work_mem: '2MB' } });
  onTestFinished(postgres.stop);
  await postgres.restart({ max_connections: '7' });
  expect(await query(postgres.url, 'show max_connections')).toEqual([{ max_connections: '7' }]);
  expect(await query(postgres.url, 'show work_mem')).toEqual([{ work_mem: '2MB' }]);
});
