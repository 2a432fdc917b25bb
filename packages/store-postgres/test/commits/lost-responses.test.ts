import {
  type ClinicalStore,
  erasedState,
  exactVersion,
  noVersion,
  type RecordChange,
} from '@clinical-records/core/store';
import { isRight } from 'fp-ts/lib/Either.js';
import type pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { openPostgresStore, type PostgresPool, type PostgresQuery } from '../../src/index.ts';
import { wrapPool } from '../host/wrap-pool.ts';
import { sqlOf } from '../store-helpers.ts';
import { newPool } from '../tenants/databases.ts';

const pool = await newPool({ pipeline: true, max: 4 });

const change = (id: string, overrides: Partial<RecordChange> = {}): RecordChange => ({
  type: 'Goal',
  id,
  patientId: 'amy',
  at: 1,
  by: null,
  state: '{}',
  resource: '{}',
  index: [],
  expects: noVersion,
  ...overrides,
});

const write = (store: ClinicalStore, ...changes: readonly RecordChange[]) =>
  store.commit({ changes, versionChecks: [] });

const idsInFeed = async (store: ClinicalStore): Promise<readonly string[]> => {
  const feed = await store.changesSince({ limit: 100 });
  if (!isRight(feed)) throw new Error(feed.left._tag);
  return feed.right.map(({ id, version }) => `${id}:${version}`);
};

type Loss = (client: pg.PoolClient, query: PostgresQuery) => Promise<never> | null;

/** A pool whose clients lose a connection when `loss` says so. */
const losing = (loss: Loss): PostgresPool =>
  wrapPool(pool, (client, query) => loss(client, query) ?? client.query(query));

/** Loses the connection once, at the first query that begins with a text. */
const lossAt = (text: string, isSent: boolean): Loss => {
  let isOver = false;
  return (client, query) => {
    if (isOver || !sqlOf(query).startsWith(text)) return null;
    isOver = true;
    const lost = async (): Promise<never> => {
      if (isSent) await client.query(query);
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    };
    return lost();
  };
};

/** A store on a pool that loses connections, in a schema that has its tables. */
const openLosing = async (schema: string, loss: Loss) => {
  expect(await idsInFeed(openPostgresStore({ pool, schema }))).toEqual([]);
  return openPostgresStore({ pool: losing(loss), schema, transactionTimeout: 2000 });
};

/** The query that commits: that of new records by themselves, or that of a transaction. */
const commits = [
  ['new_records', 'with moved'],
  ['next_versions', 'commit'],
] as const;

test.each(commits)(
  'a commit of %s whose response is lost is reported as written, and is written once',
  async (name, query) => {
    const store = await openLosing(`lost_after_${name}`, lossAt(query, true));
    expect(await write(store, change('a'), change('b'))).toEqual({ _tag: 'Right', right: [1, 1] });
    expect(await write(store, change('a', { expects: exactVersion(1) }))).toMatchObject({ right: [2] });
    expect(await write(store, change('c'))).toMatchObject({ right: [1] });
    expect(await idsInFeed(store)).toEqual(['a:1', 'b:1', 'a:2', 'c:1']);
    await store.close();
  },
);

test.each(commits)(
  'a commit of %s that is lost before it is sent is tried again, and is written once',
  async (name, query) => {
    const store = await openLosing(`lost_before_${name}`, lossAt(query, false));
    expect(await write(store, change('a'))).toMatchObject({ right: [1] });
    expect(await write(store, change('a', { expects: exactVersion(1) }))).toMatchObject({ right: [2] });
    expect(await write(store, change('b'))).toMatchObject({ right: [1] });
    expect(await idsInFeed(store)).toEqual(['a:1', 'a:2', 'b:1']);
    await store.close();
  },
);

test.each([true, false])(
  'a commit of which Citus does not know the outcome is looked for, and is written once: %s',
  async (isWritten) => {
    let isOver = false;
    const store = await openLosing(`in_doubt_${isWritten}`, (client, query) => {
      if (isOver || query.text !== 'commit') return null;
      isOver = true;
      const fail = async (): Promise<never> => {
        await client.query({ text: isWritten ? 'commit' : 'rollback' });
        const message = 'could not commit transaction for shard 7 on at least one active node';
        throw Object.assign(new Error(message), { code: 'XX000', severity: 'ERROR' });
      };
      return fail();
    });
    expect(await write(store, change('a'), change('b'))).toMatchObject({ right: [1, 1] });
    expect(await write(store, change('a', { expects: exactVersion(1) }))).toMatchObject({ right: [2] });
    expect(await idsInFeed(store)).toEqual(['a:1', 'b:1', 'a:2']);
    await store.close();
  },
);

test('a commit whose time is over once its connection is lost is refused with the reason, and is not written', async () => {
  const now = performance.now.bind(performance);
  let waited = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + waited);
  const reset = lossAt('with moved', false);
  const store = await openLosing('lost_for_long', (client, query) => {
    const isFence = /^update .*fence/.test(sqlOf(query));
    // The time of the commit is over when its outcome is found out.
    if (isFence) waited = 60_000;
    return reset(client, query);
  });
  expect(await write(store, change('a'))).toMatchObject({
    left: {
      _tag: 'Unavailable',
      message: 'The PostgreSQL database is unavailable (ECONNRESET).',
      cause: { code: 'ECONNRESET' },
    },
  });
  expect(await write(store, change('b'))).toMatchObject({ right: [1] });
  expect(await idsInFeed(store)).toEqual(['b:1']);
  await store.close();
});

test('a commit that reaches the database once it was refused is not written', async () => {
  const now = performance.now.bind(performance);
  let waited = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + waited);
  let isLate = false;
  let late: PostgresQuery | null = null;
  const store = await openLosing('late', (_, query) => {
    if (/^update .*fence/.test(sqlOf(query))) waited = 60_000;
    if (!isLate || late !== null || !sqlOf(query).startsWith('with moved')) return null;
    late = query;
    return Promise.reject(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
  });
  await write(store, change('before'));
  isLate = true;
  expect(await write(store, change('a'))).toMatchObject({ left: { _tag: 'Unavailable' } });
  if (late === null) throw new Error('The commit was not sent.');
  await expect(pool.query(late)).rejects.toMatchObject({ code: '23502' });
  expect(await idsInFeed(store)).toEqual(['before:1']);
  await store.close();
});

describe('a reindexing whose response is lost', () => {
  const code = { kind: 'token', parameter: 'code', system: '', code: 'x' } as const;
  const reindexing = {
    records: [{ type: 'Goal', id: 'a', expects: exactVersion(1), index: [code] }],
    parameters: { 'Goal.code': 'x' },
  };
  const reindex = (store: ClinicalStore) => store.commit({ changes: [], versionChecks: [], reindexing });

  test.each([
    ['before', false],
    ['after', true],
  ])('%s its COMMIT is sent is written, and reported so', async (when, isSent) => {
    const schema = `lost_${when}_reindexing`;
    const store = await openLosing(schema, lossAt('commit', isSent));
    await write(openPostgresStore({ pool, schema }), change('a'));
    expect(await reindex(store)).toEqual({ _tag: 'Right', right: [] });
    expect(await store.scan({ limit: 1 })).toMatchObject({ right: [{ id: 'a', index: [code] }] });
    await store.close();
  });

  test('is not known to be written if the record has changed since', async () => {
    const schema = 'reindexing_behind_a_change';
    const sound = openPostgresStore({ pool, schema });
    const reset = lossAt('commit', true);
    const changeAfter = async (lost: Promise<never>): Promise<never> => {
      await Promise.allSettled([lost]);
      await write(sound, change('a', { expects: exactVersion(1) }));
      return lost;
    };
    const store = await openLosing(schema, (client, query) => {
      const lost = reset(client, query);
      return lost === null ? null : changeAfter(lost);
    });
    await write(sound, change('a'));
    expect(await reindex(store)).toMatchObject({ left: { _tag: 'OutcomeUnknown' } });
    await store.close();
  });

  test('is not known to be written if its time is over', async () => {
    const now = performance.now.bind(performance);
    let waited = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now() + waited);
    const schema = 'reindexing_for_long';
    const reset = lossAt('commit', false);
    const store = await openLosing(schema, (client, query) => {
      const lost = reset(client, query);
      if (lost !== null) waited = 60_000;
      return lost;
    });
    await write(openPostgresStore({ pool, schema }), change('a'));
    expect(await reindex(store)).toMatchObject({ left: { _tag: 'OutcomeUnknown' } });
    await store.close();
  });
});

test('nothing is written behind a BEGIN that fails', async () => {
  const failing: Loss = (client, query) =>
    query.text.startsWith('begin isolation')
      ? (client.query('select no_such_column') as Promise<never>)
      : null;
  const store = await openLosing('no_begin', failing);
  const sound = openPostgresStore({ pool, schema: 'no_begin' });
  await write(sound, change('a'));
  const next = change('a', { expects: exactVersion(1) });
  expect(await write(store, next)).toMatchObject({ left: { _tag: 'Unavailable' } });
  expect(await idsInFeed(sound)).toEqual(['a:1']);
  expect(await sound.read({ type: 'Goal', id: 'a' })).toMatchObject({ right: { version: 1 } });
  await sound.close();
});

test('nothing is erased behind a BEGIN that fails', async () => {
  let fails = false;
  const store = await openLosing('no_begin_of_erasure', (client, query) =>
    fails && query.text.startsWith('begin isolation')
      ? (client.query('select no_such_column') as Promise<never>)
      : null,
  );
  await write(store, change('a', { state: '{"before":1}' }));
  fails = true;
  const erasure = change('a', {
    ...{ state: '{"isErased":true}', resource: null },
    ...{ expects: exactVersion(1), priorStates: [erasedState('0'.repeat(64))] },
  });
  expect(await write(store, erasure)).toMatchObject({ left: { _tag: 'Unavailable' } });
  const ref = { type: 'Goal', id: 'a' };
  expect(await store.history({ ...ref, limit: 10 })).toMatchObject({ right: [{ version: 1 }] });
  expect(await store.readVersion({ ...ref, version: 1 })).toMatchObject({ right: { state: '{"before":1}' } });
  await store.close();
});

test('connections that the server ends are replaced, and every response is true', async () => {
  const store = openPostgresStore({ pool, schema: 'terminated' });
  const answered: string[] = [];
  const write50 = async (name: string) => {
    for (let nth = 0; nth < 50; nth += 1) {
      const result = await write(store, change(`${name}-${nth}`));
      if (isRight(result)) answered.push(`${name}-${nth}:1`);
      if (nth % 10 === 5)
        await pool
          .query(
            'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
          )
          .catch(() => {});
    }
  };
  await Promise.all(['x', 'y'].map(write50));
  const written = await idsInFeed(store);
  expect(written.toSorted()).toEqual(answered.toSorted());
  expect(answered.length).toBeGreaterThan(20);
  await store.close();
});
