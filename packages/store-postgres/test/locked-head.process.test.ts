import { expect, test } from 'vitest';
import { fromPg, openPostgresStore } from '../src/index.ts';
import { newPool } from './databases.ts';
import { change, resultOf, write } from './store-helpers.ts';

test('a COMMIT of the host that waits for the end of the feed fails after five seconds, and nothing is written', async () => {
  const pool = await newPool({ max: 3 });
  const store = openPostgresStore({ pool });
  await store.migrate();
  const [holder, client] = [await pool.connect(), await pool.connect()];
  await holder.query('begin; select from clinical_records.head for update');
  // PostgreSQL does not end a COMMIT by it.
  await client.query("begin; set local statement_timeout = '1s'");
  await write(fromPg(client).join(store), change());
  await expect(client.query('commit')).rejects.toMatchObject({ code: '55P03' });
  await holder.query('rollback');
  holder.release();
  client.release();
  expect(await resultOf(store.changesSince({ limit: 10 }))).toEqual([]);
});
