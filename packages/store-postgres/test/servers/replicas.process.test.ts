import { type ClinicalRecords, createClinicalRecords } from '@clinical-records/core';
import { type ClinicalStore, exactVersion, type SearchQuery } from '@clinical-records/core/store';
import { startPostgres, startStandby } from '@clinical-records/testing-postgres';
import type pg from 'pg';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { fromPg, inTransaction, openPostgresStore, type PostgresPool } from '../../src/index.ts';
import { wrapPool } from '../host/wrap-pool.ts';
import { change, ref, resultOf, write } from '../store-helpers.ts';
import { openPool, openProxy } from '../tenants/databases.ts';

const settings = { fsync: 'off' };
const primary = await startPostgres({ settings });
afterAll(primary.stop);
const standby = await startStandby(primary, { settings });
afterAll(standby.stop);
const pool = openPool(primary.url, { pipeline: true });
const replica = openPool(standby.url, { pipeline: true });

/** A pool, and the number of reads that went to it. */
const countReads = (counted: pg.Pool) => {
  let reads = 0;
  const counting: PostgresPool = wrapPool(counted, (client, query) => {
    if (!/^(begin|commit|\/\* clinical-records: freshness)/.test(query.text)) reads += 1;
    return client.query(query);
  });
  return { counting, reads: () => reads };
};

/** A version of a record that broad searches find. */
const goal = (resource = '{}') =>
  change({ resource, index: [{ kind: 'token', parameter: 'category', system: '', code: 'x' }] });

/** A store in a schema of its own, with one record. */
const open = async (schema: string, replicas: readonly PostgresPool[]) => {
  const store = openPostgresStore({ pool, schema, replicas });
  await write(store, goal());
  return store;
};

const goOn = () => replica.query('select pg_wal_replay_resume()');

/** Until the end of the test, unless it goes on before. */
const holdBack = async () => {
  onTestFinished(async () => {
    await goOn();
  });
  await replica.query('select pg_wal_replay_pause()');
  const state = 'select pg_get_wal_replay_pause_state() as state';
  await vi.waitUntil(async () => (await replica.query(state)).rows[0].state === 'paused', inTime);
};

const readVersion = async (store: ClinicalStore) => (await resultOf(store.readResource(ref)))?.version;

const chart: SearchQuery = {
  type: 'Goal',
  conditions: [{ on: 'patient', anyOf: ['p'] }],
  start: { offset: 0 },
  count: 10,
  withTotal: true,
};
const broad: SearchQuery = {
  ...chart,
  conditions: [{ on: 'token', parameter: 'category', anyOf: [{ system: null, code: 'x' }] }],
};

const inTime = { timeout: 30_000 };

/** Reads until a replica returns the result. */
const untilReplica = async (store: ClinicalStore, reads: () => number) => {
  const before = reads();
  await vi.waitUntil(async () => (await readVersion(store)) !== undefined && reads() > before, inTime);
};

test('reads by id, histories and searches go to a replica that has replayed enough, and all else to the primary', async () => {
  const { counting, reads } = countReads(replica);
  const store = await open('split', [counting]);
  const readsOf = async (work: Promise<unknown>) => {
    const before = reads();
    await work;
    return reads() - before;
  };
  // A replica that was slow for a second is left out for another.
  await vi.waitFor(async () => {
    await untilReplica(store, reads);
    expect(await readsOf(resultOf(store.readResource(ref)))).toBe(1);
    expect(await readsOf(resultOf(store.readVersion({ ...ref, version: 1 })))).toBe(1);
    expect(await readsOf(resultOf(store.history({ ...ref, limit: 10 })))).toBe(1);
    expect(await readsOf(resultOf(store.search(chart)))).toBe(1);
    expect(await readsOf(resultOf(store.search(broad)))).toBe(1);
  }, inTime);
  expect(await readsOf(resultOf(store.read(ref)))).toBe(0);
  expect(await readsOf(resultOf(store.changesSince({ limit: 10 })))).toBe(0);
  expect(await readsOf(resultOf(store.scan({ limit: 10 })))).toBe(0);
  await store.close();
});

test('what was written is read at once while a replica is held back, and the replica is read when it goes on', async () => {
  const { counting, reads } = countReads(replica);
  const store = await open('held_back', [counting]);
  await untilReplica(store, reads);
  await holdBack();
  for (let version = 2; version < 10; version += 1) {
    expect(await write(store, goal(`{"version":${version}}`))).toEqual([version]);
    expect(await readVersion(store)).toBe(version);
    expect(await resultOf(store.history({ ...ref, limit: 10 }))).toHaveLength(version);
    for (const query of [chart, broad]) {
      const { matches } = await resultOf(store.search(query));
      expect(matches.map(({ resource }) => resource)).toEqual([`{"version":${version}}`]);
    }
  }
  await goOn();
  await untilReplica(store, reads);
  expect(await readVersion(store)).toBe(9);
  await store.close();
});

test('what a transaction of the host has written is read after it while a replica is held back', async () => {
  const { counting, reads } = countReads(replica);
  const store = await open('joined', [counting]);
  await untilReplica(store, reads);
  await holdBack();
  const client = await pool.connect();
  await inTransaction(client, (tx) => write(tx.join(store), change()));
  client.release();
  expect(await readVersion(store)).toBe(2);
  await store.close();
});

test('what a transaction that the host began has written is read after its COMMIT while a replica is held back', async () => {
  const { counting, reads } = countReads(replica);
  const store = await open('begun', [counting]);
  await untilReplica(store, reads);
  const client = await pool.connect();
  await client.query('begin');
  await write(fromPg(client).join(store), change());
  // Until the COMMIT, the primary is read, which shows the store how far the feed is.
  const before = reads();
  for (let nth = 0; nth < 10; nth += 1) expect(await readVersion(store)).toBe(1);
  expect(reads()).toBe(before);
  await holdBack();
  await client.query('commit');
  client.release();
  expect(await readVersion(store)).toBe(2);
  await goOn();
  await untilReplica(store, reads);
  expect(await readVersion(store)).toBe(2);
  await store.close();
});

test('after a read has shown what another store wrote, no later read shows less', async () => {
  const { counting, reads } = countReads(replica);
  const store = await open('no_less', [counting]);
  const other = openPostgresStore({ pool, schema: 'no_less' });
  await untilReplica(store, reads);
  await holdBack();
  await write(other, change());
  // The replica has replayed all that the store has seen so far.
  expect(await readVersion(store)).toBe(1);
  expect(await resultOf(store.read(ref))).toMatchObject({ version: 2 });
  expect(await readVersion(store)).toBe(2);
  await store.close();
});

test('no read shows less if a pool leads to another replica, which is held back', async () => {
  const { counting, reads } = countReads(pool);
  let current: PostgresPool = counting;
  const store = await open('another', [{ waitingCount: 0, connect: () => current.connect() }]);
  await holdBack();
  expect(await write(store, goal())).toEqual([2]);
  await untilReplica(store, reads);
  current = replica;
  expect(await readVersion(store)).toBe(2);
  await store.close();
});

test('a search by new index entries does not read a replica that lacks them', async () => {
  const { counting, reads } = countReads(replica);
  const store = await open('reindexed', [counting]);
  await untilReplica(store, reads);
  await holdBack();
  const index = [{ kind: 'token', parameter: 'new', system: '', code: 'x' }] as const;
  const parameters = { 'Goal.new': 'x' };
  const reindexing = { records: [{ ...ref, index, expects: exactVersion(1) }], parameters };
  await resultOf(store.commit({ changes: [], versionChecks: [], reindexing }));
  // These are read before the search, and show the store how far the feed is, where reindexing has added nothing.
  expect(await resultOf(store.indexedParameters())).toEqual(parameters);
  const query: SearchQuery = {
    ...chart,
    conditions: [...chart.conditions, { on: 'token', parameter: 'new', anyOf: [{ system: '', code: 'x' }] }],
  };
  expect((await resultOf(store.search(query))).matches).toMatchObject([{ id: ref.id }]);
  await goOn();
  await vi.waitUntil(async () => {
    const before = reads();
    expect((await resultOf(store.search(query))).matches).toHaveLength(1);
    return reads() > before;
  }, inTime);
  await store.close();
});

test('a decision sees what it conflicts with while a replica is held back', async () => {
  const { counting, reads } = countReads(replica);
  const store = await open('decisions', [counting]);
  const [{ directory }, others] = [store, openPostgresStore({ pool, schema: 'decisions' })].map((one) =>
    createClinicalRecords({
      store: one,
      extensionBase: 'https://clinic.example/fhir/extensions',
      careTeamRoles: [],
    }),
  ) as [ClinicalRecords, ClinicalRecords];
  const ada = { id: 'ada', lastName: 'Byron', firstName: 'Ada' };
  await directory.put('Practitioner', ada);
  await untilReplica(store, reads);
  await holdBack();
  await others.directory.put('Practitioner', { ...ada, lastName: 'King' });
  await directory.put('Practitioner', { ...ada, lastName: 'Lovelace' });
  expect(await resultOf(store.history({ type: 'Practitioner', id: 'ada', limit: 10 }))).toHaveLength(3);
  await store.close();
});

test('a replica that dies is left out, and is read again once it lives', async () => {
  const { counting, reads } = countReads(replica);
  const store = await open('dying', [counting]);
  await untilReplica(store, reads);
  const reading = Promise.all(Array.from({ length: 50 }, () => readVersion(store)));
  await standby.kill();
  expect(new Set(await reading)).toEqual(new Set([1]));
  expect(await readVersion(store)).toBe(1);
  await standby.restart();
  await untilReplica(store, reads);
  await store.close();
});

test('a replica that falls silent is left out', async () => {
  const proxy = await openProxy(standby.url);
  const { counting, reads } = countReads(openPool(proxy.url, { pipeline: true, query_timeout: 5_000 }));
  const store = await open('silent', [counting]);
  await untilReplica(store, reads);
  proxy.fallSilent();
  expect(await readVersion(store)).toBe(1);
  const sent = reads();
  expect(await readVersion(store)).toBe(1);
  expect(reads()).toBe(sent);
  await store.close();
});

test('two replicas are read in turn', async () => {
  const [first, second] = [countReads(replica), countReads(replica)];
  const store = await open('two', [first.counting, second.counting]);
  await vi.waitFor(async () => {
    const before = [first.reads(), second.reads()];
    for (let nth = 0; nth < 10; nth += 1) await readVersion(store);
    expect([first.reads(), second.reads()]).toEqual(before.map((reads) => reads + 5));
  }, inTime);
  await store.close();
});

test('while the primary is down, a replica that has replayed enough still answers reads', async () => {
  const store = await open('no_primary', [replica]);
  expect(await readVersion(store)).toBe(1);
  await primary.kill();
  await vi.waitUntil(async () => (await store.readResource(ref))._tag === 'Right', inTime);
  expect(await readVersion(store)).toBe(1);
  expect(await store.read(ref)).toMatchObject({ left: { _tag: 'Unavailable' } });
});

test('a transaction of the host cannot begin on a standby, and leaves its client outside of one', async () => {
  const client = await replica.connect();
  await expect(inTransaction(client, async () => {})).rejects.toMatchObject({
    tag: 'StoreFailure',
    cause: { message: 'The PostgreSQL database is read-only (25006).' },
  });
  const status = client.getTransactionStatus();
  client.release();
  expect(status).toBe('I');
});
