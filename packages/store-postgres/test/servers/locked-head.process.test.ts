import { expect, test } from 'vitest';
import { fromPg, openPostgresStore } from '../../src/index.ts';
import { change, ref, resultOf, write } from '../store-helpers.ts';
import { newDatabase, newPool, openPool } from '../tenants/databases.ts';

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

test('a commit that waits in vain for the end of the feed says so, and is written by the next try', async () => {
  const pool = await newPool({ max: 3 });
  const store = openPostgresStore({ pool, transactionTimeout: 2000 });
  await store.migrate();
  const holder = await pool.connect();
  await holder.query('begin; select from clinical_records.head for update');
  expect(await store.commit({ changes: [change()], versionChecks: [] })).toMatchObject({
    left: {
      _tag: 'Locked',
      message: expect.stringContaining('the end of the feed (the table `head`)'),
      cause: { code: '55P03' },
    },
  });
  expect(await resultOf(store.read(ref))).toBeNull();
  await holder.query('rollback');
  holder.release();
  expect(await write(store, change())).toEqual([1]);
});

test('a database that allows no writes is read, and a commit is not writable', async () => {
  const url = await newDatabase();
  const store = openPostgresStore({ pool: openPool(url) });
  await write(store, change());
  const pool = openPool(url, { options: '-c default_transaction_read_only=on' });
  const reader = openPostgresStore({ pool });
  expect(await resultOf(reader.read(ref))).toMatchObject({ version: 1 });
  expect(await reader.commit({ changes: [change()], versionChecks: [] })).toMatchObject({
    left: { _tag: 'NotWritable', message: 'The PostgreSQL database is read-only (25006).' },
  });
  expect(await openPostgresStore({ pool, schema: 'none' }).read(ref)).toMatchObject({
    left: { _tag: 'Unavailable', message: expect.stringContaining('tables of this version are missing') },
  });
});
