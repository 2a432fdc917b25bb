import { type ClinicalRecords, createClinicalRecords } from '@clinical-records/core';
import { erasedState, exactVersion } from '@clinical-records/core/store';
import { expect, test } from 'vitest';
import {
  createTenant,
  fromPg,
  inTransaction,
  migrationSql,
  openPostgresStore,
  removeTenant,
} from '../../src/index.ts';
import { change, ref, resultOf, write, writeAndUndo } from '../store-helpers.ts';
import { newPool } from '../tenants/databases.ts';

const pool = await newPool({ pipeline: true, max: 10 });
// Tables as on Citus, but on one server.
const statements = migrationSql({ distributed: true }).split('\n');
await pool.query(statements.filter((line) => !/citus|create_\w+_table\(/.test(line)).join('\n'));

const open = async (tenant: string) => {
  await createTenant({ pool, tenant });
  return openPostgresStore({ pool, tenant });
};
const openRecords = async (tenant: string) =>
  createClinicalRecords({
    store: await open(tenant),
    extensionBase: 'https://clinic.example',
    careTeamRoles: [],
  });

const sound = { discrepancies: [], miscounted: [] };

test('transactions of a host that write for several tenants place for each, in any order, and undo for each', async () => {
  const [one, other] = [await openRecords('one'), await openRecords('other')];
  const put = async (id: string, clinics: readonly ClinicalRecords[], end: () => void) => {
    const client = await pool.connect();
    const written = inTransaction(client, async (tx) => {
      for (const firstName of ['Amy', 'Ann'])
        for (const clinic of clinics)
          await clinic.in(tx).directory.put('Patient', { id, firstName, lastName: 'Shaw' });
      end();
    });
    await written.finally(() => client.release());
  };
  const commit = () => {};
  const undo = () => {
    throw new Error('undone');
  };
  // The first write of a clinic sets its index version.
  await put('first', [one, other], commit);
  for (const round of ['0', '1', '2'])
    await Promise.all([
      put(`x${round}`, [one, other], commit),
      put(`y${round}`, [other, one], commit),
      expect(put(`z${round}`, [other, one], undo)).rejects.toThrow('undone'),
    ]);
  for (const clinic of [one, other]) {
    // Patients and their care teams, all written twice.
    expect(await clinic.verify()).toMatchObject({ records: 14, versions: 28, ...sound });
  }
});

test('a transaction that undoes all that it has written places nothing', async () => {
  const store = await open('savepoint');
  await writeAndUndo(pool, store);
  expect(await resultOf(store.feedEnd())).toBeNull();
  expect(await write(store, change())).toEqual([1]);
});

test('a transaction whose tenant is removed meanwhile is refused', async () => {
  const store = await open('removed');
  await write(store, change());
  const client = await pool.connect();
  const joined = inTransaction(client, async (tx) => {
    await removeTenant({ pool, tenant: 'removed' });
    await write(tx.join(store), change({ id: 'b' }));
  });
  await expect(joined).rejects.toThrow();
  client.release();
});

test('an open store of a removed tenant is refused all that it reads', async () => {
  const store = await open('gone');
  await write(store, change());
  const chart = { type: ref.type, conditions: [], start: { offset: 0 }, count: 1, withTotal: true };
  const readAll = () =>
    Promise.all([
      store.read(ref),
      store.readResource({ ...ref, id: 'none' }),
      store.search(chart),
      store.search({ ...chart, conditions: [{ on: 'patient', anyOf: ['none'] }] }),
      store.changesSince({ limit: 1 }),
      store.scan({ limit: 1 }),
      store.feedEnd(),
    ]);
  for (const outcome of await readAll()) expect(outcome).toMatchObject({ _tag: 'Right' });
  await removeTenant({ pool, tenant: 'gone' });
  const message = 'The schema clinical_records has no tenant gone.';
  for (const outcome of await readAll()) expect(outcome).toMatchObject({ left: { _tag: 'Misuse', message } });
});

test('a write in a transaction of a tool is refused, because no trigger would place it, and a read is not', async () => {
  const store = await open('tool');
  await write(store, change());
  const client = await pool.connect();
  await client.query('begin');
  const joined = fromPg(client).join(store);
  expect(await joined.commit({ changes: [change({ id: 'b' })], versionChecks: [] })).toMatchObject({
    left: { _tag: 'Misuse', message: expect.stringContaining('inTransaction') },
  });
  expect(await resultOf(joined.read(ref))).toMatchObject({ version: 1 });
  await client.query('rollback');
  client.release();
});

test('a record changes its chart, and is erased', async () => {
  const store = await open('erased');
  const index = [{ kind: 'token', parameter: 'status', system: '', code: 'active' }] as const;
  await write(store, change({ index }));
  await write(store, change({ patientId: 'q', index, expects: exactVersion(1) }));
  const priorStates = ['a', 'b'].map((digit) => erasedState(digit.repeat(64)));
  expect(await write(store, change({ resource: null, expects: exactVersion(2), priorStates }))).toEqual([3]);
  const feed = await resultOf(store.changesSince({ limit: 10 }));
  expect(feed.map(({ state, resource }) => [state, resource])).toEqual([
    ...priorStates.map((state) => [state, null]),
    ['{}', null],
  ]);
});
