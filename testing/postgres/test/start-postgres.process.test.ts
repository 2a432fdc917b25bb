import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { findDebianBinaries, startPostgres } from '../index.ts';
import { query } from './query.ts';
import { untilEnded } from './until-ended.ts';

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** A kill leaves the files of the system as they are, synced or not. */
const settings = { fsync: 'off' };

test('a server answers with its settings, and leaves no process and no folder', async () => {
  const postgres = await startPostgres({ settings: { ...settings, work_mem: '2MB' } });
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
  const postgres = await startPostgres({ settings });
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

test('a killed server that is stopped leaves no shared memory', async () => {
  const postgres = await startPostgres({ settings });
  const lock = readFileSync(join(postgres.folder, 'postmaster.pid'), 'utf8');
  const [, memory = ''] = /^ *\d+ +(\d+) *$/m.exec(lock) ?? [];
  const listMemory = () => execFileSync('ipcs', ['-m'], { encoding: 'utf8' });
  await postgres.kill();
  expect(listMemory()).toContain(` ${memory} `);
  await postgres.stop();
  expect(listMemory()).not.toContain(` ${memory} `);
});

test("Debian's PostgreSQL 15 runs like the one from npm", async ({ skip }) => {
  const binaries = findDebianBinaries(15);
  if (binaries === null) return skip("Debian's PostgreSQL 15 is not installed.");
  const postgres = await startPostgres({ binaries, settings });
  onTestFinished(postgres.stop);
  expect(await query(postgres.url, 'show server_version')).toEqual([
    { server_version: expect.stringMatching(/^15\./) },
  ]);
});

test('a restart may change settings', async () => {
  const postgres = await startPostgres({ settings: { ...settings, work_mem: '2MB' } });
  onTestFinished(postgres.stop);
  await postgres.restart({ max_connections: '7' });
  expect(await query(postgres.url, 'show max_connections')).toEqual([{ max_connections: '7' }]);
  expect(await query(postgres.url, 'show work_mem')).toEqual([{ work_mem: '2MB' }]);
});
