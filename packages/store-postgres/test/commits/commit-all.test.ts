import { AsyncLocalStorage } from 'node:async_hooks';
import { createClinicalRecords } from '@clinical-records/core';
import { exactVersion, noVersion } from '@clinical-records/core/store';
import { beforeEach, expect, test } from 'vitest';
import { openPostgresStore } from '../../src/index.ts';
import { change, resultOf, write } from '../store-helpers.ts';
import { newPool } from '../tenants/databases.ts';

const pool = await newPool({ max: 4 });
let schema = 0;
let store = openPostgresStore({ pool });

beforeEach(async () => {
  schema += 1;
  store = openPostgresStore({ pool, schema: `together_${schema}` });
  await pool.query(
    'drop table if exists visits; create table visits (name text unique deferrable initially deferred)',
  );
});

const visits = async () => (await pool.query('select count(*)::int as count from visits')).rows[0].count;
const feed = async () => (await resultOf(store.changesSince({ limit: 10 }))).map(({ version }) => version);
const inAnotherRequest = AsyncLocalStorage.snapshot();
const betterNot = new Error('the host thinks better of it');
const commits = [
  { changes: [change({ expects: noVersion })], versionChecks: [] },
  { changes: [change({ expects: exactVersion(1) })], versionChecks: [] },
];
const insert = `insert into visits values ('one')`;

test('statements of the host are written with the commits, on the client of the transaction', async () => {
  const written = store.commitAll(commits, [
    (client) => client.query({ text: insert }),
    async (client) => expect((await client.query({ text: 'select from visits' })).rows).toHaveLength(1),
  ]);
  expect(await resultOf(written)).toEqual([[1], [2]]);
  expect([await visits(), await feed()]).toEqual([1, [1, 2]]);
});

test('a statement that fails undoes all of it, and its own error is the reason', async () => {
  await expect(
    store.commitAll(commits, [
      (client) => client.query({ text: insert }),
      () => {
        throw betterNot;
      },
    ]),
  ).rejects.toBe(betterNot);
  await expect(
    store.commitAll(commits, [(client) => client.query({ text: 'select 1 / 0' })]),
  ).rejects.toMatchObject({ code: '22012' });
  expect([await visits(), await feed()]).toEqual([0, []]);
});

test('statements of the host do not run if a commit is refused, and nothing is written if the COMMIT is', async () => {
  await write(store, change());
  const run = (client: { query: (query: { text: string }) => unknown }) => client.query({ text: insert });
  expect(await store.commitAll(commits, [run])).toMatchObject({ left: { _tag: 'Conflict' } });
  const other = [{ changes: [change({ id: 'b' })], versionChecks: [] }];
  expect(await store.commitAll(other, [run, run])).toMatchObject({
    left: { _tag: 'Unavailable', cause: { code: '23505' } },
  });
  expect([await visits(), await feed()]).toEqual([0, [1]]);
});

test('records.transaction inserts a row of the host with an entry, also as the first call on an empty schema', async () => {
  const records = createClinicalRecords({ store, extensionBase: 'urn:oid:1.2.3', careTeamRoles: [] });
  await records.transaction(async (tx) => {
    const { id } = await tx.directory.put('Organization', { id: 'lab', name: 'Lab' });
    tx.write((client) => client.query({ text: 'insert into visits values ($1)', values: [id] }));
  });
  expect([await visits(), await feed()]).toEqual([1, [1]]);
  expect((await records.verify()).discrepancies).toEqual([]);
});

test('the callback of records.transaction runs again after a write that it did not see, and is refused writes without its tx', async () => {
  const records = createClinicalRecords({ store, extensionBase: 'urn:oid:1.2.3', careTeamRoles: [] });
  const by = { by: 'Practitioner/ada' } as const;
  await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
  await records.directory.put('Practitioner', { id: 'ada', lastName: 'Byron' });
  await records.chart.record({ kind: 'goal', id: 'walk', patientId: 'amy', description: 'Walk a mile' }, by);
  const update = (on: Pick<typeof records, 'chart'>, progress: string) =>
    on.chart.record({ kind: 'updateGoal', goalId: 'walk', progress }, by);
  let runs = 0;
  await records.transaction(async (tx) => {
    runs += 1;
    await tx.goals.read('walk');
    if (runs === 1) await inAnotherRequest(() => update(records, 'theirs'));
    await update(tx, 'mine');
    await expect(update(records, 'forgotten')).rejects.toMatchObject({ tag: 'Misuse' });
  });
  expect(runs).toBe(2);
  const { note } = await records.goals.read('walk');
  expect(note?.map(({ text }) => text)).toEqual(['theirs', 'mine']);
});
