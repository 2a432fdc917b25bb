import type { ClinicalStore, RecordChange } from '@clinical-records/core/store';
import { expect, test } from 'vitest';
import { openPostgresStore } from '../../src/index.ts';
import { wrapPool } from '../host/wrap-pool.ts';
import { change, resultOf, write } from '../store-helpers.ts';
import { newPool } from '../tenants/databases.ts';

const ofPatient = (patientId: string, ...resources: readonly string[]): readonly RecordChange[] =>
  resources.map((text, at) =>
    change({ id: `${patientId}-${at}`, patientId, resource: JSON.stringify(text) }),
  );

const charts: Readonly<Record<string, readonly RecordChange[]>> = {
  none: [],
  small: ofPatient('small', '{"n":1}', '{"n":2}'),
  'with controls': ofPatient('with controls', '\u0001,', 'a,b', '\u0000\u0001b,', '', 'ß€😀'),
  'with a large resource': ofPatient('with a large resource', '{}', 'x'.repeat(70_000), '{}'),
  'large together': ofPatient('large together', ...['a', 'b', 'c'].map((text) => text.repeat(30_000))),
  'with ids': ['\u0001', '\u0001,', ''].map((id) => change({ id, patientId: 'with ids' })),
};

const search = (store: ClinicalStore, patientId: string, count: number) =>
  resultOf(
    store.search({
      type: 'Goal',
      conditions: [{ on: 'patient', anyOf: [patientId] }],
      start: { offset: 0 },
      count,
      withTotal: true,
    }),
  );

test('searches of charts that share a query find what each finds by itself', async () => {
  const store = openPostgresStore({ pool: await newPool() });
  for (const changes of Object.values(charts)) await write(store, ...changes);
  for (const count of [2, 20]) {
    const together = await Promise.all(
      Object.keys(charts).map((patientId) => search(store, patientId, count)),
    );
    for (const [at, [patientId, changes]] of Object.entries(charts).entries()) {
      const page = together[at];
      expect(page).toEqual(await search(store, patientId, count));
      expect(page?.total).toBe(changes.length);
      expect(page?.matches.map(({ id, resource }) => [id, resource])).toEqual(
        changes.slice(0, count).map(({ id, resource }) => [id, resource]),
      );
    }
  }
  await store.close();
});

test('searches of charts at once need one query, also where more matches follow the page', async () => {
  let searches = 0;
  const pool = wrapPool(await newPool(), (client, query) => {
    if (query.text.includes('clinical-records: search')) searches += 1;
    return client.query(query);
  });
  const store = openPostgresStore({ pool });
  const patients = ['a', 'b', 'c'];
  await write(store, ...patients.flatMap((id) => ofPatient(id, '1', '2', '3')));
  const pages = await Promise.all(patients.map((patientId) => search(store, patientId, 1)));
  expect(pages.map(({ total, hasMore }) => [total, hasMore])).toEqual(patients.map(() => [3, true]));
  expect(searches).toBe(1);
  await store.close();
});
