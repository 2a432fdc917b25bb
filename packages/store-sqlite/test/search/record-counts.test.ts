import type { ClinicalStore, RecordChange } from '@clinical-records/core/store';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../src/index.ts';
import { newFile } from '../files.ts';
import { runAndRollBack } from '../run-and-roll-back.ts';
import { change, resultOf, write } from '../store-helpers.ts';

const types = ['Goal', 'CareTeam', 'Immunization'];

const totals = (store: ClinicalStore) =>
  Promise.all(
    types.map(async (type) => {
      const query = { type, conditions: [], start: { offset: 0 }, count: 0, withTotal: true };
      return (await resultOf(store.search(query))).total;
    }),
  );

/** Every third record is of the same type; every fifth begins without a resource. */
const created = (number: number): RecordChange =>
  change({
    type: types[number % 3] ?? '',
    id: `r${number}`,
    resource: number % 5 === 0 ? null : '{}',
  });

/** The totals of records by their numbers. */
const totalsOf = (readable: ReadonlySet<number>) =>
  types.map((_, type) => [...readable].filter((number) => number % 3 === type).length);

test('totals are right at any time, while old and new records gain resources and lose them', async () => {
  const filename = newFile();
  let store = openSqliteStore({ filename });
  const readable = new Set<number>();
  for (let number = 0; number < 900; number += 1) {
    const first = created(number);
    if (first.resource !== null) readable.add(number);
    // An old record and a new one, each with a resource if it had none, and none if it had one.
    const turned = number % 4 === 0 && number > 0 ? new Set([Math.floor(number / 7), number - 2]) : [];
    const turns = [...turned].map((old): RecordChange => {
      const resource = readable.has(old) ? null : '{}';
      if (resource === null) readable.delete(old);
      else readable.add(old);
      return { ...created(old), resource };
    });
    await write(store, first, ...turns);
    if (number % 25 === 0) expect(await totals(store)).toEqual(totalsOf(readable));
    if (number === 450) {
      await store.close();
      store = openSqliteStore({ filename });
    }
  }
  expect(await totals(store)).toEqual(totalsOf(readable));
  await store.close();
});

test('totals are right after many records of a host were undone', async () => {
  const database = new Database(newFile());
  const store = openSqliteStore({ database });
  const numbers = (from: number, until: number) => Array.from({ length: until - from }, (_, at) => from + at);
  const writeAll = (all: readonly number[], on: ClinicalStore = store) => write(on, ...all.map(created));
  const readableAmong = (all: readonly number[]) => new Set(all.filter((number) => number % 5 !== 0));
  await writeAll(numbers(0, 10));
  await runAndRollBack(database, store, (inside) => writeAll(numbers(10, 600), inside));
  expect(await totals(store)).toEqual(totalsOf(readableAmong(numbers(0, 10))));
  await writeAll(numbers(10, 20));
  expect(await totals(store)).toEqual(totalsOf(readableAmong(numbers(0, 20))));
  await writeAll(numbers(20, 900));
  expect(await totals(store)).toEqual(totalsOf(readableAmong(numbers(0, 900))));
  database.close();
});

test('totals are right if a type has nothing new while others have', async () => {
  const store = openSqliteStore({ filename: ':memory:' });
  for (const type of types) {
    const numbers = Array.from({ length: 300 }, (_, number) => number);
    await write(store, ...numbers.map((number) => change({ type, id: `r${number}` })));
  }
  expect(await totals(store)).toEqual([300, 300, 300]);
  await store.close();
});

test('an old record that gains or loses no resource counts as before', async () => {
  const store = openSqliteStore({ filename: ':memory:' });
  await write(store, ...Array.from({ length: 300 }, (_, number) => change({ id: `r${number}` })));
  for (const [resource, total] of [
    ['{}', 300],
    [null, 299],
    [null, 299],
  ] as const) {
    await write(store, change({ id: 'r0', resource }));
    expect(await totals(store)).toEqual([total, 0, 0]);
  }
  await store.close();
});

test('two stores on one file count together', async () => {
  const filename = newFile();
  const stores = [openSqliteStore({ filename }), openSqliteStore({ filename })];
  const readable = new Set<number>();
  for (let number = 0; number < 800; number += 1) {
    await write(stores[Number(number % 70 < 35)] as ClinicalStore, created(number));
    if (number % 5 !== 0) readable.add(number);
  }
  for (const store of stores) {
    expect(await totals(store)).toEqual(totalsOf(readable));
    await store.close();
  }
});

test('of many records, each is counted once, whichever of them loses its resource', async () => {
  const store = openSqliteStore({ filename: ':memory:' });
  const goal = (number: number, resource: string | null) => change({ id: `r${number}`, resource });
  for (let number = 1; number <= 600; number += 1) await write(store, goal(number, '{}'));
  for (let number = 1; number <= 600; number += 1) {
    await write(store, goal(number, null));
    expect((await totals(store))[0]).toBe(600 - number);
  }
  await store.close();
});

test('records are counted even if none of them has a resource, and after a host undid many', async () => {
  const database = new Database(':memory:');
  const store = openSqliteStore({ database });
  const counted = () => database.prepare('SELECT max(counted) FROM counts').pluck().get();
  const writeAll = (from: number, until: number, on: ClinicalStore = store) =>
    write(
      on,
      ...Array.from({ length: until - from }, (_, at) => change({ id: `r${from + at}`, resource: null })),
    );
  await runAndRollBack(database, store, (inside) => writeAll(0, 3000, inside));
  expect(counted()).toBeNull();
  await writeAll(0, 300);
  expect(counted()).toBeGreaterThan(0);
  await writeAll(300, 900);
  expect(counted()).toBeGreaterThan(900 - 256);
  database.close();
});
