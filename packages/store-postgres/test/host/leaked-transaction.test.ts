import { expect, test } from 'vitest';
import { openPostgresStore } from '../../src/index.ts';
import { change, resultOf, write } from '../store-helpers.ts';
import { newDatabase, openPool } from '../tenants/databases.ts';

test('nothing is written in a transaction in which a host has returned a client to its pool', async () => {
  const url = await newDatabase();
  const [pool, other] = [openPool(url, { max: 1 }), openPool(url)];
  const schema = 'leaked';
  const store = openPostgresStore({ pool, schema });
  await write(store, change({ id: 'a' }));
  await write(store, change({ id: 'b' }));
  const client = await pool.connect();
  await client.query('begin');
  client.release();
  await write(store, change({ id: 'c' }));
  const feed = await resultOf(openPostgresStore({ pool: other, schema }).changesSince({ limit: 10 }));
  expect(feed.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});
