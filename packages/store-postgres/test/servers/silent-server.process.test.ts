import { anyVersion, exactVersion, noVersion } from '@clinical-records/core/store';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgresStore, primaryOf } from '../../src/index.ts';
import { change, ref, resultOf, write } from '../store-helpers.ts';
import { newDatabase, openPool, openProxy } from '../tenants/databases.ts';

const url = await newDatabase();
const admin = openPool(url);

/** Longer than any test: the time of a transaction must hold without it. */
const query_timeout = 600_000;
const transactionTimeout = 2000;

const index = [{ kind: 'token', parameter: 'code', system: '', code: 'x' }] as const;

const newIndex = [{ ...index[0], code: 'y' }];

/** A store behind a proxy, in a schema of its own, which has a record. */
const openBehindProxy = async (schema: string) => {
  const proxy = await openProxy(url);
  const pool = openPool(proxy.url, { pipeline: true, query_timeout });
  // Before the pool ends, which waits for connections that do not answer.
  onTestFinished(proxy.close);
  const store = openPostgresStore({ pool, schema, transactionTimeout });
  await write(store, change());
  return { store, proxy };
};

const commit = (store: ReturnType<typeof openPostgresStore>, ...changes: Parameters<typeof change>) =>
  store.commit({ changes: [change(...changes)], versionChecks: [] });

const silence = 'PostgreSQL has not answered in time';

test.each([
  ['a new record', { id: 'b', expects: noVersion }],
  ['a new version', { expects: exactVersion(1) }],
])(
  'the outcome of a commit of %s to a server that falls silent is unknown in time',
  async (name, changed) => {
    const { store, proxy } = await openBehindProxy(`silent ${name}`);
    proxy.fallSilent();
    expect(await commit(store, changed)).toMatchObject({
      left: { _tag: 'OutcomeUnknown', message: expect.stringContaining(silence) },
    });
  },
);

test('a commit that sends nothing but a question to such a server is refused in time', async () => {
  const { store, proxy } = await openBehindProxy('silent_question');
  proxy.fallSilent();
  // The present version of the record is asked first.
  expect(await commit(store, {})).toMatchObject({ left: { _tag: 'Unavailable' } });
});

test('so is one that gets no connection, because the server is silent', async () => {
  const { store, proxy } = await openBehindProxy('silent_connection');
  proxy.fallSilent();
  expect(await commit(store, {})).toMatchObject({ left: { _tag: 'Unavailable' } });
  // The first connection is closed now.
  expect(await commit(store, { id: 'b', expects: noVersion })).toMatchObject({
    left: { _tag: 'Unavailable', message: expect.stringContaining('There is no connection to PostgreSQL') },
  });
});

test('so is a reindexing', async () => {
  const { store, proxy } = await openBehindProxy('silent_reindexing');
  proxy.fallSilent();
  const reindexing = { records: [{ type: 'Goal', id: 'a', expects: exactVersion(1), index }] };
  expect(await store.commit({ changes: [], versionChecks: [], reindexing })).toMatchObject({
    left: { _tag: 'Unavailable', message: expect.stringContaining(silence) },
  });
});

test.each(['versions', 'records', 'head', 'searchable', 'terms'])(
  'a commit waits for the table %s that somebody has locked no longer than for a record',
  async (table) => {
    const schema = `locked_${table}`;
    const pool = openPool(url, { pipeline: true, query_timeout });
    const store = openPostgresStore({ pool, schema, transactionTimeout });
    await write(store, change({ index }));
    const locker = await admin.connect();
    onTestFinished(() => locker.release());
    await locker.query(`begin; lock table ${schema}.${table}`);
    const outcomes = await Promise.all([
      commit(store, { id: 'b', index: newIndex }),
      commit(store, { index: newIndex, expects: exactVersion(1) }),
    ]);
    expect(outcomes).toMatchObject([{ _tag: 'Left' }, { _tag: 'Left' }]);
    await locker.query('rollback');
    expect(await write(store, change({ id: 'c' }))).toEqual([1]);
    const feed = (await resultOf(store.changesSince({ limit: 10 }))).map(
      ({ id, version }) => `${id} ${version}`,
    );
    const unknown = outcomes.map(
      (outcome) => outcome._tag === 'Left' && outcome.left._tag === 'OutcomeUnknown',
    );
    // A commit that is known not to be written is not there, now or later.
    expect(feed.filter((entry) => !unknown[0] && entry === 'b 1')).toEqual([]);
    expect(feed.filter((entry) => !unknown[1] && entry === 'a 2')).toEqual([]);
  },
);

test.each([
  ['a pool', (pool: pg.Pool) => pool],
  ['primaryOf', (pool: pg.Pool) => primaryOf([pool])],
])(
  'after a proxy leads to another server, %s waits for one connection to the silent one, not for each',
  async (_, wrap) => {
    const proxy = await openProxy(url);
    const pool = openPool(proxy.url, { pipeline: true, query_timeout: 1500 });
    onTestFinished(proxy.close);
    const store = openPostgresStore({ pool: wrap(pool), schema: 'moved', transactionTimeout });
    const outcomesOf = async (call: () => Promise<{ readonly _tag: string }>) => {
      await write(store, change());
      const clients = await Promise.all(Array.from({ length: 10 }, () => pool.connect()));
      for (const client of clients) client.release();
      expect(pool.idleCount).toBe(10);
      proxy.fallSilent();
      proxy.leadTo(url);
      return [(await call())._tag, (await call())._tag, (await call())._tag].slice(1);
    };
    expect(await outcomesOf(() => store.read(ref))).toEqual(['Right', 'Right']);
    expect(await outcomesOf(() => commit(store, { expects: anyVersion }))).toEqual(['Right', 'Right']);
  },
);
