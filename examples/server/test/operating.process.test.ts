import { existsSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type ClinicalStore, createClinicalRecords } from '@clinical-records/core';
import type { FeedEntry } from '@clinical-records/core/store';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { createDemo } from '../demo/create-demo.ts';
import { careTeamRoles, extensionBase } from '../settings.ts';
import { runHere } from './run-here.ts';
import { endAll, newFolder, runToEnd, startServer } from './running-server.ts';

afterAll(endAll);

const createRecords = (store: ClinicalStore) =>
  createClinicalRecords({ store, extensionBase, careTeamRoles });

const readFeed = async (store: ClinicalStore): Promise<readonly FeedEntry[]> => {
  const found = await store.changesSince({ limit: 100_000 });
  if (found._tag === 'Left') throw new Error(found.left._tag);
  return found.right;
};

/** That a copy is what the file was at one moment, no earlier than so many versions, and is sound. */
const expectCopy = async (copy: string, filename: string, least: number): Promise<void> => {
  const stores = [copy, filename].map((file) => openSqliteStore({ filename: file }));
  const [copied = [], all = []] = await Promise.all(stores.map(readFeed));
  expect(copied.length).toBeGreaterThanOrEqual(least);
  expect(copied).toEqual(all.slice(0, copied.length));
  for (const store of stores) {
    expect((await createRecords(store).verify()).discrepancies).toEqual([]);
    await store.close();
  }
};

test('a backup ends although records are written at each of its steps, and contains every commit that was reported before', async () => {
  const folder = await newFolder();
  const [filename, copy] = [join(folder, 'clinic.db'), join(folder, 'copy.db')];
  const store = openSqliteStore({ filename });
  const { directory } = createRecords(store);
  const name = 'A long name. '.repeat(70);
  await Promise.all(
    Array.from({ length: 1_000 }, (_, index) => directory.put('Organization', { id: `${index}`, name })),
  );
  const before = (await readFeed(store)).length;

  let isDone = false;
  const backup = backUp(filename, copy).finally(() => {
    isDone = true;
  });
  for (let at = 0; !isDone; at += 1) {
    await directory.put('Organization', { id: 'other', name: `${at}` });
    await setImmediate();
  }
  await backup;
  await expectCopy(copy, filename, before);
  await store.close();
});

const statement = JSON.stringify({
  status: 'completed',
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '03' }] },
  patient: { reference: 'Patient/demo-patient-4' },
  occurrenceDateTime: '2001',
  primarySource: false,
});

test('--backup copies a file that is being served, and the copy serves the same content', async () => {
  const folder = await newFolder();
  const [filename, copy] = [join(folder, 'clinic.db'), join(folder, 'copy.db')];
  const server = await startServer(['--data', filename], folder);
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  const post = async () => {
    const { status } = await fetch(`${server.address}/Immunization`, {
      method: 'POST',
      headers,
      body: statement,
    });
    expect(status).toBe(201);
  };
  for (let times = 0; times < 5; times += 1) await post();

  let isDone = false;
  const backup = runToEnd('--data', filename, '--backup', copy).finally(() => {
    isDone = true;
  });
  while (!isDone) await post();
  expect(await backup).toEqual({ code: 0, out: `Backed up ${filename} into ${copy}\n`, err: '' });
  await server.stop();

  const restored = await startServer(['--data', copy], folder);
  expect((await restored.get('/Immunization?patient=demo-patient-4')).status).toBe(200);
  await restored.stop();
  await expectCopy(copy, filename, 5);
});

let served: string;

beforeAll(async () => {
  served = join(await newFolder(), 'clinic.db');
  await createDemo({ _tag: 'File', filename: served });
});

/** A file with the demo clinic, which nobody serves. */
const createServedFile = async (): Promise<string> => {
  const filename = join(await newFolder(), 'clinic.db');
  await copyFile(served, filename);
  return filename;
};

test('--backup overwrites no file, and creates none if there is nothing to back up', async () => {
  const filename = await createServedFile();
  const before = await readFile(filename);
  expect(await runHere('--data', filename, '--backup', filename)).toEqual({
    code: 2,
    out: '',
    err: `clinical-records: ${filename} exists already, and a backup overwrites nothing\n`,
  });
  // SQLite and better-sqlite3 take these as the same file.
  for (const name of [`${filename}/`, ` ${filename}`, `${filename} `]) {
    expect(await runHere('--data', served, '--backup', name)).toMatchObject({ code: 2, out: '' });
  }
  expect(await readFile(filename)).toEqual(before);
  const [none, copy] = [`${filename}.none`, `${filename}.copy`];
  const { code, err } = await runHere('--data', none, '--backup', copy);
  expect(err).toBe(`clinical-records: cannot open ${none}: there is no such file or folder\n`);
  expect([code, existsSync(none), existsSync(copy)]).toEqual([3, false, false]);
});

test('--verify of a sound file says so, ends with 0, and does not change the file', async () => {
  const filename = await createServedFile();
  const before = await readFile(filename);
  const { code, out, err } = await runToEnd('--data', filename, '--verify');
  expect(out).toMatch(
    /^damages of the file: none\ndiscrepancies: none\nrecords: [1-9]\d*\nversions: [1-9]\d*\nhead: \d+:[0-9a-f]{64}\n$/,
  );
  expect([code, err]).toEqual([0, '']);
  expect(await readFile(filename)).toEqual(before);
  expect(existsSync(`${filename}-wal`)).toBe(false);
});

test('--verify with a saved head detects that the newest versions were cut off', async () => {
  const filename = await createServedFile();
  const [, head = ''] = /^head: (.*)$/m.exec((await runHere('--data', filename, '--verify')).out) ?? [];
  expect((await runHere('--data', filename, '--verify', '--head', head)).code).toBe(0);
  const database = new Database(filename);
  database.exec(`
    CREATE TEMP TABLE newest AS SELECT max(position) AS record FROM records WHERE committed IS NULL;
    DELETE FROM entries WHERE record IN (SELECT record FROM newest);
    UPDATE counts SET readable = readable - 1 WHERE counted >= (SELECT record FROM newest)
      AND type = (SELECT type FROM records WHERE position = (SELECT record FROM newest));
    DELETE FROM superseded WHERE position > (SELECT record FROM newest);
  `);
  expect(
    database.prepare('DELETE FROM records WHERE position = (SELECT record FROM newest)').run().changes,
  ).toBe(1);
  database.close();
  const { code, out } = await runHere('--data', filename, '--verify', '--head', head);
  expect(out).toMatch(/^ {2}the head that was given is not in the data$/m);
  expect(code).toBe(3);
});

test('--verify names each record that differs from its state, shows nothing of its content, and ends with 3', async () => {
  const filename = await createServedFile();
  const database = new Database(filename);
  database.exec("UPDATE records SET resource = replace(resource, 'Goal', 'Gaol') WHERE id = 'demo-goal-1'");
  database.exec('PRAGMA foreign_keys = OFF; DELETE FROM terms WHERE term = (SELECT min(term) FROM entries)');
  database.close();
  const { code, out, err } = await runHere('--data', filename, '--verify');
  expect(out).toMatch(/^damages of the file: 1\n {2}rows that refer to a missing row: [1-9]\d*$/m);
  expect(out).toMatch(
    /^ {2}Goal\/demo-goal-1, version \d+: the resource is not what derives from its state$/m,
  );
  expect(out).not.toContain('Gaol');
  expect([code, err]).toEqual([3, `clinical-records: ${filename} is not as it should be\n`]);
});

test('--head is a head that was printed, and goes with one verification', async () => {
  for (const flags of [
    ['--head', '1:ab'],
    ['--verify', '--head', 'x'],
    ['--verify', '--head', '1:abc'],
    ['--verify', '--verify-audit', '--head', '0:'],
  ]) {
    const { code, err } = await runHere(...flags);
    expect([code, err]).toEqual([2, expect.stringMatching(/^clinical-records: --head (goes|is) /)]);
  }
});

test('--verify of a file that does not contain records ends with 3', async () => {
  const { code, out, err } = await runHere('--data', 'none.db', '--verify');
  expect([code, out, err]).toEqual([
    3,
    '',
    'clinical-records: cannot open none.db: there is no such file or folder\n',
  ]);
  const begun = join(await newFolder(), 'begun.db');
  await writeFile(begun, '');
  expect(await runHere('--data', begun, '--verify')).toEqual({
    code: 3,
    out: 'damages of the file: none\n',
    err: `clinical-records: cannot verify ${begun}: there are no records in it\n`,
  });
});
