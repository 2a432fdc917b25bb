import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabase, openPool as openTestPool, startPostgres } from '@clinical-records/testing-postgres';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../../src/index.ts';
import { newDatabase, openPool } from '../tenants/databases.ts';
import { commit, expectSound, expectUnavailable, read, search } from './outcomes.ts';

const callAll = (store: ReturnType<typeof openPostgresStore>) =>
  Promise.all([read(store, 'none'), search(store), commit(store, 'a')]);

test('calls wait for a pool whose clients are all used, and succeed once it has one', async () => {
  const pool = openPool(await newDatabase(), { max: 2 });
  const store = openPostgresStore({ pool });
  const clients = await Promise.all([pool.connect(), pool.connect()]);
  const calls = callAll(store);
  await expect.poll(() => pool.waitingCount).toBeGreaterThan(0);
  for (const client of clients) client.release();
  expect(await calls).toMatchObject([{ right: null }, { right: {} }, { right: [1] }]);
  await expectSound(store, ['a']);
});

test('with connectionTimeoutMillis, calls fail with the reason while all clients are used', async () => {
  const pool = openPool(await newDatabase(), { max: 2, connectionTimeoutMillis: 1000 });
  const store = openPostgresStore({ pool });
  await expectSound(store, []);
  const clients = await Promise.all([pool.connect(), pool.connect()]);
  expectUnavailable(
    await callAll(store),
    'There is no connection to PostgreSQL: timeout exceeded when trying to connect.',
  );
  for (const client of clients) client.release();
  expect(await read(store, 'afterwards')).toMatchObject({ right: { version: 1 } });
  expect(await read(store, 'a')).toEqual({ _tag: 'Right', right: null });
});

test('on a pool that the host has ended, calls are Closed', async () => {
  const pool = openTestPool(await newDatabase());
  const store = openPostgresStore({ pool });
  await expectSound(store, []);
  await pool.end();
  const closed = { _tag: 'Left', left: { _tag: 'Closed' } };
  expect(await callAll(store)).toEqual([closed, closed, closed]);
});

test('a store can be opened before its database exists', async () => {
  const database = await createDatabase(inject('postgresUrl'));
  await database.drop();
  const name = new URL(database.url).pathname.slice(1);
  const pool = openTestPool(database.url);
  const store = openPostgresStore({ pool });
  expectUnavailable(
    await callAll(store),
    `There is no connection to PostgreSQL (3D000): database "${name}" does not exist.`,
  );
  const admin = openPool(inject('postgresUrl'));
  await admin.query(`create database ${name} template template0`);
  await expectSound(store, []);
  await pool.end();
  await database.drop();
});

/** A server that asks a user for a password. */
const startWithPassword = async (password: string) => {
  const server = await startPostgres({ settings: { fsync: 'off' } });
  const hba = join(server.folder, 'pg_hba.conf');
  writeFileSync(hba, `host all clinic 127.0.0.1/32 scram-sha-256\n${readFileSync(hba, 'utf8')}`);
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`create role clinic login superuser password '${password}'`);
  await admin.query('select pg_reload_conf()');
  await admin.end();
  return server;
};

test('a store can be opened before its server listens, and with a password that is set later', async () => {
  const server = await startWithPassword('right');
  onTestFinished(server.stop);
  await server.kill();
  let password = 'wrong';
  const login = { user: 'clinic', database: 'postgres', password: () => password };
  const pool = new pg.Pool({ host: '127.0.0.1', port: server.port, ...login });
  const store = openPostgresStore({ pool });
  expectUnavailable(
    await callAll(store),
    `There is no connection to PostgreSQL (ECONNREFUSED): connect ECONNREFUSED 127.0.0.1:${server.port}.`,
  );
  await server.restart();
  expectUnavailable(
    await callAll(store),
    'There is no connection to PostgreSQL (28P01): password authentication failed for user "clinic".',
  );
  password = 'right';
  await expectSound(store, []);
  await pool.end();
});
