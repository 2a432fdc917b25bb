import { createClinicalRecords } from '@clinical-records/core';
import { type ClinicalStore, noVersion } from '@clinical-records/core/store';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { inTransaction, openPostgresStore } from '../src/index.ts';
import { change, ref, resultOf, write } from './store-helpers.ts';
import { newPgBouncer, noPgBouncer, openPool } from './tenants/databases.ts';

const openStore = (pool: pg.Pool): ClinicalStore => openPostgresStore({ pool, preparedStatements: false });

const readFeed = async (store: ClinicalStore) =>
  (await resultOf(store.changesSince({ limit: 1000 }))).map(({ id }) => id);

const search = (store: ClinicalStore, patient: string | null) =>
  resultOf(
    store.search({
      type: 'Goal',
      conditions: [
        patient === null
          ? { on: 'token', parameter: 'status', anyOf: [{ system: null, code: 'active' }] }
          : { on: 'patient', anyOf: [patient] },
      ],
      start: { offset: 0 },
      count: 10,
      withTotal: true,
    }),
  );

/** The state that earlier transactions have left in a connection of the server. */
const leftState = async (pool: pg.Pool) => {
  const names = ['jit', 'lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'];
  const { rows } = await pool.query(
    `select
      (select count(*)::integer from pg_prepared_statements) as statements,
      (select count(*)::integer from pg_locks where pid = pg_backend_pid() and locktype = 'advisory') as locks,
      (select array_agg(name) from pg_settings where name = any($1) and setting <> reset_val) as settings,
      nullif(current_setting('clinical_records.transaction', true), '') as transaction`,
    [names],
  );
  return rows[0];
};

describe.skipIf(noPgBouncer !== null)(
  `behind PgBouncer in transaction mode${noPgBouncer === null ? '' : `: skipped, because ${noPgBouncer}`}`,
  async () => {
    if (noPgBouncer !== null) return;
    const one = await newPgBouncer(1);
    const pool = openPool(one.url, { pipeline: true, max: 4 });
    const store = openStore(pool);

    test('four clients with pipelines share a connection, and each result is its own', async () => {
      const index = [{ kind: 'token', parameter: 'status', system: '', code: 'active' }] as const;
      const ids = Array.from({ length: 30 }, (_, at) => `r${at}`);
      const lookFor = async (id: string) => {
        await write(store, change({ id, patientId: id, index, expects: noVersion }));
        const [read, version, history, narrow, broad] = await Promise.all([
          resultOf(store.read({ ...ref, id })),
          resultOf(store.readVersion({ ...ref, id, version: 1 })),
          resultOf(store.history({ ...ref, id, limit: 10 })),
          search(store, id),
          search(store, null),
        ]);
        expect(version).toEqual(read);
        expect(history).toMatchObject([{ patientId: id, version: 1 }]);
        expect(read).toMatchObject({ id, patientId: id, version: 1 });
        expect(narrow).toMatchObject({ matches: [{ id }], total: 1 });
        expect(broad.total).toBeGreaterThan(0);
      };
      await Promise.all(ids.map(lookFor));
      expect((await readFeed(store)).toSorted()).toEqual(ids.toSorted());
      expect(await search(store, null)).toMatchObject({ total: 30 });
      expect(await resultOf(store.scan({ limit: 1000 }))).toHaveLength(30);
    });

    test('the records of many clients are sound', async () => {
      const records = createClinicalRecords({
        store: openPostgresStore({ pool, schema: 'verified', preparedStatements: false }),
        extensionBase: 'https://clinic.example/fhir/extensions',
        careTeamRoles: [],
      });
      const ids = Array.from({ length: 20 }, (_, at) => `${at}`);
      await Promise.all(
        [...ids, ...ids].map((id) =>
          records.directory.put('Patient', { id, lastName: 'Lovelace', firstName: id }),
        ),
      );
      expect(await records.verify()).toMatchObject({ discrepancies: [], miscounted: [] });
    });

    test('a write shares a transaction with rows of the host', async () => {
      await pool.query('create table visits (name text)');
      const visit = async (name: string, outcome: () => Promise<void>) => {
        const client = await pool.connect();
        try {
          await inTransaction(client, async (tx) => {
            await client.query('insert into visits values ($1)', [name]);
            await write(tx.join(store), change({ id: name, expects: noVersion }));
            await outcome();
          });
        } finally {
          client.release();
        }
      };
      await visit('committed', async () => {});
      const betterNot = new Error('the host thinks better of it');
      await expect(visit('undone', () => Promise.reject(betterNot))).rejects.toBe(betterNot);
      expect((await pool.query('select * from visits')).rows).toEqual([{ name: 'committed' }]);
      const feed = await readFeed(store);
      expect(feed).toContain('committed');
      expect(feed).not.toContain('undone');
    });

    test('nothing of all that stays in the connection', async () => {
      expect(await leftState(pool)).toEqual({ statements: 0, locks: 0, settings: null, transaction: null });
    });

    test('prepared statements fail with a sentence that names the option, and write nothing', async () => {
      const commit = { changes: [change()], versionChecks: [] };
      // Each has a client of its own, and both have the same connection.
      await resultOf(openPostgresStore({ pool: openPool(one.url, { max: 1 }) }).commit(commit));
      const before = await readFeed(store);
      const refused = await openPostgresStore({ pool: openPool(one.url, { max: 1 }) }).commit(commit);
      expect(refused).toMatchObject({
        left: {
          _tag: 'Misuse',
          message:
            'A pooler has given a transaction another connection than that of its prepared statements (42P05). Open the store with `preparedStatements: false`.',
        },
      });
      expect(await readFeed(store)).toEqual(before);
    });

    test('a store goes on when PgBouncer has been restarted', async () => {
      await one.redirect(one.serverUrl);
      await write(store, change({ id: 'after the restart' }));
      expect(await readFeed(store)).toContain('after the restart');
    });

    test('four stores that open an empty schema at once migrate it once', async () => {
      const two = await newPgBouncer(2);
      const shared = openPool(two.url, { pipeline: true, max: 8 });
      const stores = Array.from({ length: 4 }, () => openStore(shared));
      await Promise.all(stores.map((each, at) => write(each, change({ id: `${at}` }))));
      for (const each of stores) expect((await readFeed(each)).toSorted()).toEqual(['0', '1', '2', '3']);
    });
  },
);
