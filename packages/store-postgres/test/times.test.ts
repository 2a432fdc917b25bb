import { expect, test } from 'vitest';
import { openPostgresStore } from '../src/index.ts';
import { change, ref, resultOf, write } from './store-helpers.ts';
import { newPool } from './tenants/databases.ts';

const first = Date.parse('0001-01-01T00:00:00Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');

/** Times of all centuries, with any milliseconds. */
const times = Array.from({ length: 1999 }, (_, n) => first + n * 157_926_875_321);

test('the time of a version is read as it was written, to the millisecond', async () => {
  const store = openPostgresStore({ pool: await newPool() });
  const written = [...times, last].map((at, n) => change({ id: `r${n}`, at }));
  await write(store, ...written);
  const read = await Promise.all(written.map(({ id }) => resultOf(store.readResource({ ...ref, id }))));
  expect(read.map((record) => record?.at)).toEqual(written.map(({ at }) => at));
  await store.close();
});
