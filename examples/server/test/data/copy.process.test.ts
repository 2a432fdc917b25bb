import { existsSync, readdirSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClinicalRecords, createClinicalRecords } from '@clinical-records/core';
import { type ClinicalStore, orThrow } from '@clinical-records/core/store';
import { openPostgresStore } from '@clinical-records/store-postgres';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { createDatabase, openPool } from '@clinical-records/testing-postgres';
import Database from 'better-sqlite3';
import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { copyInto } from '../../copy/copy-into.ts';
import { createDemo } from '../../demo/create-demo.ts';
import { rosa } from '../../demo/people.ts';
import { statement } from '../../demo/samples.ts';
import type { DataLocation, FileLocation } from '../../open/data-location.ts';
import { careTeamRoles, extensionBase, roles } from '../../settings.ts';
import { runHere } from '../run-here.ts';
import { endAll, killWhen, newFolder, runToEnd } from '../running-server.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
let pool: pg.Pool;
/** A file that nobody serves, with every resource in every state, retries and former members of a care team. */
let source: FileLocation;

const by = 'Practitioner/demo-practitioner-1';
const retry = { by, idempotencyKey: 'retried' } as const;

beforeAll(async () => {
  database = await createDatabase(inject('postgresUrl'));
  pool = openPool(database.url, { pipeline: true });
  source = { _tag: 'File', filename: join(await newFolder(), 'clinic.db') };
  await createDemo(source);
  const store = openSqliteStore({ filename: source.filename });
  const { directory, careTeams, immunizations } = createRecords(store);
  await directory.put('Patient', { id: 'eve', lastName: 'Müller', firstName: '😀 "\\' });
  for (const [status, role] of [
    ['active', roles.nurse],
    ['inactive', roles.dietitian],
    ['suspended', roles.pharmacist],
  ] as const) {
    await directory.put('Practitioner', { id: status, lastName: 'Reyes', firstName: status });
    await careTeams.setParticipantStatus('eve', `Practitioner/${status}`, 'active', { role });
    await careTeams.setParticipantStatus('eve', `Practitioner/${status}`, status);
  }
  await immunizations.asJson.create(statement, retry);
  await store.close();
});
afterAll(async () => {
  await pool.end();
  await endAll();
  await database.drop();
});

const createRecords = (store: ClinicalStore) =>
  createClinicalRecords({ store, extensionBase, careTeamRoles });

const schemas = async (): Promise<readonly string[]> => {
  const text = "select nspname as name from pg_namespace where nspname !~ '^(pg_|information|public)'";
  return (await pool.query(text)).rows.map(({ name }) => name);
};

const types = ['serviceRequests', 'goals', 'careTeams', 'immunizations'] as const;

/** The text of every resource that searches find. */
const searchAll = async (records: ClinicalRecords): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const type of types) {
    found.push(`${type}: ${(await records[type].search({ _count: 0 })).total}`);
    for (const query of [{}, { patient: rosa }, { patient: 'eve' }]) {
      for await (const text of records[type].asJson.all(query)) found.push(text);
    }
  }
  return found;
};

/** Everything that a clinic answers. */
const readEverything = async (store: ClinicalStore) => {
  const records = createRecords(store);
  const feed = await orThrow(store.changesSince({ limit: 100_000 }));
  const refs = new Map(feed.map(({ type, id }) => [`${type}/${id}`, { type, id }]));
  const histories = [];
  for (const ref of refs.values()) {
    const history = await orThrow(store.history({ ...ref, limit: 1000 }));
    const versions = history.map(({ version }) => orThrow(store.readVersion({ ...ref, version })));
    histories.push(history, await Promise.all(versions));
  }
  return { feed, histories, found: await searchAll(records), verified: await records.verify() };
};

const everythingIn = async (location: DataLocation) => {
  const store =
    location._tag === 'File'
      ? openSqliteStore({ filename: location.filename })
      : openPostgresStore({ pool, schema: location.schema });
  return readEverything(store).finally(() => store.close());
};

const report = (from: string, into: string) => {
  const verification = (damages: string) =>
    `${damages}discrepancies: none\nrecords: \\d+\nversions: \\d+\nhead: (\\d+:[0-9a-f]{64})\n`;
  const damagesOf = (name: string) => (name.endsWith('.db') ? 'damages of the file: none\n' : '');
  return new RegExp(
    `^Source: ${from}\n${verification(damagesOf(from))}Copy: ${into}\n${verification(damagesOf(into))}Copied ${from} into ${into}\n$`,
  );
};

test('a file is copied to PostgreSQL and back by one command each, and everything in it is the same', async () => {
  const [folder, url] = [await newFolder(), database.url];
  const name = `postgres:.*${new URL(url).pathname} \\(schema north\\)`;
  const there = await runToEnd('--copy-from', source.filename, '--database', url, '--schema', 'north');
  expect(there).toMatchObject({ code: 0, err: expect.stringMatching(/^Copying: 100 %, \d+ versions\n$/) });
  expect(there.out).toMatch(report('.*clinic.db', name));
  const copied = join(folder, 'copied.db');
  const back = await runToEnd('--copy-from', url, '--copy-schema', 'north', '--data', copied);
  expect(back).toMatchObject({ code: 0 });
  const [, before, after] = report(name, '.*copied.db').exec(back.out) ?? [];
  expect(before).toBe(after);

  const all = await everythingIn(source);
  expect(all.verified).toMatchObject({ head: before, discrepancies: [], miscounted: [] });
  for (const status of ['entered-in-error', 'inactive', 'suspended']) {
    expect(all.found.join()).toContain(`"status":"${status}"`);
  }
  const locations: readonly DataLocation[] = [
    { _tag: 'Database', url, schema: 'north' },
    { _tag: 'File', filename: copied },
  ];
  for (const location of locations) expect(await everythingIn(location)).toEqual(all);

  // A client that retries at the copy gets the resource that it created at the source.
  const [old, store] = [
    openSqliteStore({ filename: source.filename }),
    openPostgresStore({ pool, schema: 'north' }),
  ];
  const [first, again] = await Promise.all(
    [old, store].map((each) => createRecords(each).immunizations.asJson.create(statement, retry)),
  );
  expect(again).toEqual(first);
  await Promise.all([old.close(), store.close()]);
  expect((await everythingIn(source)).verified.head).toBe(before);
});

/** A copy of the source that SQL has changed. */
const changedSource = async (sql: string): Promise<string> => {
  const filename = join(await newFolder(), 'changed.db');
  await copyFile(source.filename, filename);
  const changed = new Database(filename);
  changed.exec(sql);
  changed.close();
  return filename;
};

test.each([
  ["UPDATE records SET resource = replace(resource, 'Goal', 'Gaol')", /changed.db is not as it should be$/],
  ['UPDATE store_versions SET schema_version = 99', /cannot verify .*changed.db: The tables have schema 99/],
])('a source that is changed by %j is refused, and nothing is copied', async (sql, message) => {
  const args = ['--database', database.url, '--schema', 'changed'];
  const { code, err } = await runHere('--copy-from', await changedSource(sql), ...args);
  expect(err.trimEnd()).toMatch(message);
  expect(code).toBe(3);
  expect((await schemas()).filter((schema) => schema.startsWith('changed'))).toEqual([]);
});

test('a source that does not exist is refused, and nothing is created', async () => {
  const folder = await newFolder();
  const into = ['--data', join(folder, 'new.db')];
  const none = join(folder, 'none.db');
  expect(await runHere('--copy-from', none, ...into)).toMatchObject({
    code: 3,
    err: `clinical-records: cannot open ${none}: there is no such file or folder\n`,
  });
  const { code, err } = await runHere('--copy-from', database.url, '--copy-schema', 'none', ...into);
  expect(err).toMatch(
    /cannot open postgres:.* \(schema none\): there are no records of this version in it\n$/,
  );
  expect(code).toBe(3);
  expect(readdirSync(folder)).toEqual([]);
});

test('a copy overwrites nothing, not even an empty clinic', async () => {
  const before = await everythingIn(source);
  await openPostgresStore({ pool, schema: 'begun' }).read({ type: 'Goal', id: 'none' });
  for (const args of [
    ['--copy-from', join(await newFolder(), 'none.db'), '--data', source.filename],
    ['--copy-from', source.filename, '--database', database.url, '--schema', 'begun'],
  ]) {
    const { code, out, err } = await runHere(...args);
    expect(err).toMatch(/^clinical-records: .* exists already, and a copy overwrites nothing\n$/);
    expect([code, out]).toEqual([2, '']);
  }
  expect(await everythingIn(source)).toEqual(before);
});

const context = (signal: AbortSignal) => ({ signal, write: () => {} });
const running = new AbortController().signal;

test('a copy that is stopped leaves nothing', async () => {
  vi.spyOn(console, 'log').mockReturnValue();
  const target = { _tag: 'Database', url: database.url, schema: 'stopped' } as const;
  await expect(copyInto(target, source, context(AbortSignal.abort()))).rejects.toMatchObject({
    exitCode: 1,
    message: 'the copy was stopped, and nothing of it is left',
  });
  expect((await schemas()).filter((schema) => schema.startsWith('stopped'))).toEqual([]);
});

test('a source that is written to during the copy is refused, and the next copy has everything', async () => {
  const filename = await changedSource('');
  const target: DataLocation = { _tag: 'File', filename: join(await newFolder(), 'copy.db') };
  const store = openSqliteStore({ filename });
  let writing: Promise<unknown> = Promise.resolve();
  vi.spyOn(console, 'log').mockImplementation((text: string) => {
    if (!text.startsWith('Copy:')) return;
    writing = createRecords(store).directory.put('Organization', { id: 'late', name: 'Late' });
  });
  await expect(copyInto(target, { _tag: 'File', filename }, context(running))).rejects.toMatchObject({
    exitCode: 1,
    message: `${filename} was written to while it was copied; stop what writes to it, and copy again`,
  });
  await writing;
  await store.close();
  expect(existsSync(target.filename)).toBe(false);
  vi.spyOn(console, 'log').mockReturnValue();
  await copyInto(target, { _tag: 'File', filename }, context(running));
  expect(await everythingIn(target)).toEqual(await everythingIn({ _tag: 'File', filename }));
});

test('a copy that is killed leaves no part of a clinic, and the next copy makes all of it', async () => {
  const schema = 'killed';
  const args = ['--copy-from', source.filename, '--database', database.url, '--schema', schema];
  // The source is verified; everything is copied; the copy is verified.
  for (const printed of ['head:', 'Copying: 100 %', 'Copy:']) {
    await killWhen(({ out, err }) => (out + err).includes(printed), args, await newFolder());
  }
  // The last one may have ended before it was killed.
  const isComplete = (await schemas()).includes(schema);
  expect((await runHere(...args)).code).toBe(isComplete ? 2 : 0);
  expect((await schemas()).filter((one) => one.startsWith(schema))).toEqual([schema]);
  const copied = await everythingIn({ _tag: 'Database', url: database.url, schema });
  expect(copied).toEqual(await everythingIn(source));
});
