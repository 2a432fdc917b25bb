import type { SearchCondition } from '@clinical-records/core/store';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../src/index.ts';
import { change, resultOf, write } from '../store-helpers.ts';

const ofPatient: SearchCondition = { on: 'patient', anyOf: ['p'] };
const ofCode: SearchCondition = {
  on: 'token',
  parameter: 'status',
  anyOf: [{ system: null, code: 'active' }],
};

/** A store with this many records of a patient, between those of another. Only the patient's are active. */
const storeWith = async (records: number) => {
  const store = openSqliteStore({ filename: ':memory:' });
  for (let at = 0; at < records; at += 1) {
    await write(
      store,
      change({ id: `other-${at}`, patientId: 'q', index: [] }),
      change({ id: `${at}`, resource: `"${at}"` }),
    );
  }
  return store;
};

// Sixteen records are read at once.
test.each([0, 1, 10, 11, 15, 16, 17, 40])(
  'a first page of %i records has the oldest, and says how many there are',
  async (records) => {
    const store = await storeWith(records);
    for (const condition of [ofPatient, ofCode]) {
      for (const count of [0, 1, 10, 15, 16, 20, 100]) {
        for (const withTotal of [true, false]) {
          const search = { type: 'Goal', conditions: [condition], start: { offset: 0 }, count, withTotal };
          expect([condition.on, count, await resultOf(store.search(search))]).toEqual([
            condition.on,
            count,
            {
              matches: Array.from({ length: Math.min(count, records) }, (_, at) => ({
                id: `${at}`,
                version: 1,
                at: 1,
                resource: `"${at}"`,
              })),
              hasMore: records > count,
              total: withTotal ? records : null,
            },
          ]);
        }
      }
    }
  },
);

test('a first page of a patient takes no more steps than it may', async () => {
  const store = await storeWith(12);
  const search = { type: 'Goal', conditions: [ofPatient], start: { offset: 0 }, count: 20, withTotal: true };
  expect(await store.search({ ...search, maxSteps: 10 })).toEqual({
    _tag: 'Left',
    left: { _tag: 'TooCostly' },
  });
  expect(await resultOf(store.search({ ...search, maxSteps: 20 }))).toMatchObject({ total: 12 });
});
