import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { openClinic, readFeed } from '../../clinic.ts';
import { expectNobodyVanished, expectOneNote } from './outcomes.ts';
import { expectSerialOrder } from './serial-order.ts';
import { posts, prepareRace, puts } from './writes.ts';

const racers = 3;
const folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));
afterEach(() => rmSync(folder, { recursive: true }));

const startRacer = async (filename: string, own: number) => {
  const args = [fileURLToPath(new URL('./racer.ts', import.meta.url)), filename, `${own}`, `${racers}`];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [ready] = await once(child.stdout.setEncoding('utf8'), 'data');
  expect(ready).toBe('ready\n');
  return {
    go: async (): Promise<readonly (readonly [string, number])[]> => {
      child.stdin.write('go');
      return JSON.parse(await text(child.stdout));
    },
  };
};

test('Immunization POSTs and CareTeam PUTs of three processes on one file have the same result as one after the other', async () => {
  const filename = join(folder, 'clinic.db');
  const store = openSqliteStore({ filename });
  const { records } = await openClinic(store);
  await prepareRace(records);
  const before = (await readFeed(store)).length;

  const started = await Promise.all([0, 1, 2].map((own) => startRacer(filename, own)));
  const statuses = (await Promise.all(started.map(({ go }) => go()))).flat();
  expect(statuses).toHaveLength(posts.length + puts.length);
  for (const [method, status] of statuses) expect(status).toBe(method === 'POST' ? 201 : 200);

  await expectSerialOrder(store, [...posts, ...puts], before);
  await expectOneNote(records, store);
  await expectNobodyVanished(records);
  expect((await records.verify()).discrepancies).toEqual([]);
  await store.close();
  const database = new Database(filename);
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(database.pragma('foreign_key_check')).toEqual([]);
  database.close();
});
