import type { RecordChange } from '@clinical-records/core/store';
import { expect, test } from 'vitest';
import { openPostgresStore } from '../src/index.ts';
import { newPool } from './databases.ts';
import { change, resultOf, write } from './store-helpers.ts';

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

test('searches of charts that share a query find what each finds by itself', async () => {
  const pool = await newPool();
  const store = openPostgresStore({ pool });
  for (const changes of Object.values(charts)) await write(store, ...changes);
  const search = (patientId: string, count: number) =>
    resultOf(
      store.search({
        type: 'Goal',
        conditions: [{ on: 'patient', anyOf: [patientId] }],
        start: { offset: 0 },
        count,
        withTotal: true,
      }),
    );
  for (const count of [2, 20]) {
    const together = await Promise.all(Object.keys(charts).map((patientId) => search(patientId, count)));
    for (const [at, [patientId, changes]] of Object.entries(charts).entries()) {
      const page = together[at];
      expect(page).toEqual(await search(patientId, count));
      expect(page?.total).toBe(changes.length);
      expect(page?.matches.map(({ id, resource }) => [id, resource])).toEqual(
        changes.slice(0, count).map(({ id, resource }) => [id, resource]),
      );
    }
  }
  await store.close();
});
