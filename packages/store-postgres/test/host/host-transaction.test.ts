import { AsyncLocalStorage } from 'node:async_hooks';
import { type ClinicalRecords, createClinicalRecords } from '@clinical-records/core';
import {
  anyVersion,
  type ClinicalStore,
  type EntryRange,
  exactVersion,
  noVersion,
  type RecordChange,
  type SearchCondition,
  type StoreOutcome,
  type VersionCheck,
} from '@clinical-records/core/store';
import { isLeft } from 'fp-ts/lib/Either.js';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction, openPostgresStore } from '../../src/index.ts';
import { newPool } from '../tenants/databases.ts';

const pool = await newPool({ pipeline: true, max: 10 });
const otherDatabase = await newPool({ max: 1 });
await pool.query('create table visits (name text primary key deferrable initially deferred)');

/** Runs work as if no transaction had called it. */
const inAnotherRequest = AsyncLocalStorage.snapshot();

let count = 0;
let schema: string;
let store: ClinicalStore;

beforeEach(() => {
  schema = `clinic_${++count}`;
  store = openPostgresStore({ pool, schema, transactionTimeout: 60_000 });
});

const resultOf = async <A>(called: StoreOutcome<A>): Promise<A> => {
  const outcome = await called;
  if (isLeft(outcome)) throw new Error(`The store returned ${JSON.stringify(outcome.left)}.`);
  return outcome.right;
};

const change = (id: string, overrides: Partial<RecordChange> = {}): RecordChange => ({
  type: 'Goal',
  id,
  patientId: 'p',
  at: 1,
  by: null,
  state: '{}',
  resource: '{}',
  index: [
    { kind: 'token', parameter: 'status', system: '', code: 'active' },
    { kind: 'date', parameter: 'start', from: 1, until: 2 },
  ],
  expects: anyVersion,
  ...overrides,
});

const check = (id: string, expects: VersionCheck['expects']): VersionCheck => ({ type: 'Goal', id, expects });
const commit = (on: ClinicalStore, changes: readonly RecordChange[], versionChecks: VersionCheck[] = []) =>
  on.commit({ changes, versionChecks });
const write = (on: ClinicalStore, ...ids: readonly string[]) =>
  resultOf(on.commit({ changes: ids.map((id) => change(id)), versionChecks: [] }));
const feed = async () =>
  (await resultOf(store.changesSince({ limit: 1000 }))).map(({ id, version }) => `${id} ${version}`);

const active = { on: 'token', parameter: 'status', anyOf: [{ system: null, code: 'active' }] } as const;
const find = async (on: ClinicalStore, conditions: readonly SearchCondition[] = [active]) => {
  const { matches, total } = await resultOf(
    on.search({ type: 'Goal', conditions, start: { offset: 0 }, count: 1000, withTotal: true }),
  );
  return { ids: matches.map(({ id }) => id), total };
};

const visits = async (): Promise<unknown> =>
  (await pool.query('select count(*)::integer as count from visits')).rows[0].count;
const betterNot = new Error('the host thinks better of it');

/** Runs work in a transaction on a client of the pool. */
const onClient = async <A>(
  work: (inside: ClinicalStore, client: pg.PoolClient) => Promise<A>,
  options: { readonly transactionTimeout?: number } = { transactionTimeout: 60_000 },
): Promise<A> => {
  const client = await pool.connect();
  try {
    return await inTransaction(client, (tx) => work(tx.join(store), client), options);
  } finally {
    client.release();
  }
};

/** Begins a transaction that stays open until it is committed or rolled back. */
const begin = async (options?: { readonly transactionTimeout?: number }) => {
  const { promise: end, resolve: commit, reject } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<ClinicalStore>();
  const done = onClient(async (inside) => {
    begun.resolve(inside);
    await end;
  }, options);
  return {
    inside: await begun.promise,
    commit: async () => {
      commit();
      await done;
    },
    rollBack: async () => {
      reject(betterNot);
      await expect(done).rejects.toBe(betterNot);
    },
  };
};

const untilWaiting = (waiters: number) =>
  expect
    .poll(
      async () =>
        (
          await pool.query(
            `select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).rows[0].count,
      { interval: 5, timeout: 20_000 },
    )
    .toBeGreaterThanOrEqual(waiters);

beforeEach(async () => {
  await pool.query('delete from visits');
  await feed();
});

const createRecords = () =>
  createClinicalRecords({
    store,
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: [],
  });

afterEach(async () => {
  const { discrepancies, miscounted } = await createRecords().verify();
  const broken = discrepancies.filter(({ what }) => ['digest', 'position', 'order'].includes(what));
  const { rows } = await pool.query(
    `select position::integer from ${schema}.versions order by versions.position`,
  );
  await store.close();
  expect([broken, miscounted]).toEqual([[], []]);
  // Also no position is provisional: that would be no integer.
  expect(rows.map(({ position }) => position)).toEqual(rows.map((_, at) => at + 1));
});

describe('a call of the records in a transaction that still runs when the work ends', () => {
  const amy = { id: 'amy', lastName: 'Shaw' };

  /** Runs work on the records of a transaction. */
  const inRecords = async (work: (inside: ClinicalRecords) => Promise<unknown>) => {
    const client = await pool.connect();
    try {
      await inTransaction(client, async (tx) => {
        await client.query(`insert into visits values ('${schema}')`);
        await work(createRecords().in(tx));
      });
    } finally {
      client.release();
    }
  };
  const visited = async () => (await pool.query('select from visits where name = $1', [schema])).rowCount;

  test('rolls it back, and is named; the client is free afterwards', async () => {
    await createRecords().directory.put('Patient', amy);
    const before = await feed();
    const undone = inRecords(async ({ directory, careTeams }) => {
      await directory.put('Patient', { ...amy, lastName: 'Shore' });
      void directory.put('Organization', { id: 'lab', name: 'Laboratory' });
      void careTeams.asJson.read('amy');
    });
    await expect(undone).rejects.toThrow('A call was not awaited: directory.put, careTeams.asJson.read.');
    expect([await feed(), await visited()]).toEqual([before, 0]);
    await inRecords(({ directory }) => directory.put('Patient', { ...amy, lastName: 'Shore' }));
    expect(await visited()).toBe(1);
  });

  test('is never an unhandled rejection', async () => {
    await createRecords().directory.put('Patient', amy);
    const unhandled: unknown[] = [];
    const keep = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', keep);
    const undone = inRecords(async ({ goals }) => void goals.read('none'));
    await expect(undone).rejects.toThrow('A call was not awaited: goals.read.');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', keep);
    expect(unhandled).toEqual([]);
  });

  test('is not one that was awaited, even if it was refused', async () => {
    await createRecords().directory.put('Patient', amy);
    await inRecords(async ({ directory, goals }) => {
      await expect(goals.read('none')).rejects.toMatchObject({ tag: 'NotFound' });
      await Promise.all(['lab', 'ward'].map((id) => directory.put('Organization', { id, name: id })));
    });
    expect(await createRecords().directory.read('Organization', 'ward')).toMatchObject({ name: 'ward' });
    expect(await visited()).toBe(1);
  });
});

describe('what joins the transaction of the host', () => {
  test('is committed with the rows of the host, and found afterwards', async () => {
    await write(store, 'a', 'b');
    const result = await onClient(async (inside, client) => {
      await client.query(`insert into visits values ('one')`);
      expect(await write(inside, 'a', 'c')).toEqual([2, 1]);
      expect(await write(inside, 'c')).toEqual([2]);
      expect(
        await resultOf(inside.commit({ changes: [change('b', { resource: null })], versionChecks: [] })),
      ).toEqual([2]);
      expect(await find(inside)).toEqual({ ids: ['a', 'c'], total: 2 });
      return 'result';
    });
    expect([result, await visits()]).toEqual(['result', 1]);
    expect(await feed()).toEqual(['a 1', 'b 1', 'a 2', 'c 1', 'c 2', 'b 2']);
    expect(await find(store)).toEqual({ ids: ['a', 'c'], total: 2 });
    expect(await find(store, [])).toEqual({ ids: ['a', 'c'], total: 2 });
    expect(await write(store, 'c', 'd')).toEqual([3, 1]);
    expect(await resultOf(store.history({ type: 'Goal', id: 'c', limit: 10 }))).toHaveLength(3);
  });

  test('is counted from when it has a resource, which a staged record has not before', async () => {
    const staged = (id: string) => change(id, { resource: null });
    await resultOf(commit(store, [staged('once'), staged('twice'), staged('still')]));
    await resultOf(commit(store, [staged('twice')]));
    await onClient(async (inside) => {
      await write(inside, 'once', 'twice');
      await resultOf(commit(inside, [staged('still'), staged('new')]));
      await write(inside, 'new');
    });
    expect(await find(store, [])).toEqual({ ids: ['once', 'twice', 'new'], total: 3 });
    await onClient(async (inside) => resultOf(commit(inside, [staged('once'), staged('new')])));
    expect(await find(store, [])).toEqual({ ids: ['twice'], total: 1 });
  });

  test('is undone with it, and nobody else is', async () => {
    await write(store, 'a');
    const { inside, rollBack } = await begin();
    await write(inside, 'a', 'b');
    await write(store, 'c');
    await rollBack();
    expect(await feed()).toEqual(['a 1', 'c 1']);
    expect(await find(store)).toEqual({ ids: ['a', 'c'], total: 2 });
    expect(await write(store, 'a', 'b')).toEqual([2, 1]);
  });

  test('is undone if the work rejects, with the rows of the host', async () => {
    const undone = onClient(async (inside, client) => {
      await client.query(`insert into visits values ('one')`);
      await write(inside, 'a');
      throw betterNot;
    });
    await expect(undone).rejects.toBe(betterNot);
    expect([await visits(), await feed()]).toEqual([0, []]);
  });

  test('is seen by nobody before, and 50 commits of others are written meanwhile, even while one waits for it', async () => {
    await write(store, 'a');
    const { inside, commit: end } = await begin();
    await write(inside, 'a', 'b');
    const blocked = write(store, 'a');
    const others = Array.from({ length: 50 }, (_, at) => `other-${at}`);
    expect(await Promise.all(others.map((id) => write(store, id)))).toEqual(others.map(() => [1]));
    expect(await feed()).toHaveLength(51);
    expect((await find(store)).total).toBe(51);
    expect(await resultOf(store.read({ type: 'Goal', id: 'b' }))).toBeNull();
    await end();
    expect(await blocked).toEqual([3]);
    expect((await feed()).slice(51)).toEqual(['a 2', 'b 1', 'a 3']);
  });

  test('uses a code that no record has had, and others use the same one meanwhile', async () => {
    const index = [{ kind: 'token', parameter: 'code', system: 's', code: 'new' }] as const;
    const coded = (id: string) => change(id, { index });
    const code = { on: 'token', parameter: 'code', anyOf: [{ system: 's', code: 'new' }] } as const;
    const { inside, commit: end } = await begin();
    await resultOf(inside.commit({ changes: [coded('a')], versionChecks: [] }));
    // The transaction stays open until it is written.
    expect(await commit(store, [coded('b')])).toMatchObject({ right: [1] });
    expect(await onClient((other) => commit(other, [coded('c')]))).toMatchObject({ right: [1] });
    expect(await find(store, [code])).toEqual({ ids: ['b', 'c'], total: 2 });
    await end();
    expect(await find(store, [code])).toEqual({ ids: ['b', 'c', 'a'], total: 3 });
  });

  test('is in a scan of the transaction, and in that of others only after the end', async () => {
    await write(store, 'a', 'b');
    const scan = (on: ClinicalStore, range: EntryRange) => resultOf(on.scan(range));
    const scanned = async (on: ClinicalStore) =>
      (await scan(on, { limit: 1000 })).map(({ id, version, index }) => `${id} ${version} ${index.length}`);
    await onClient(async (inside) => {
      await write(inside, 'c', 'b', 'd');
      await write(inside, 'c');
      expect(await scanned(inside)).toEqual(['a 1 2', 'b 2 2', 'c 2 2', 'd 1 2']);
      const position = (await scan(inside, { limit: 3 })).at(-1)?.position;
      expect((await scan(inside, { limit: 3, position })).map(({ id }) => id)).toEqual(['d']);
      expect(await inAnotherRequest(() => scanned(store))).toEqual(['a 1 2', 'b 1 2']);
    });
    expect(await scanned(store)).toEqual(['a 1 2', 'b 2 2', 'c 2 2', 'd 1 2']);
  });

  test('takes no place in the feed if the host rolls it back to a savepoint', async () => {
    await onClient(async (inside, client) => {
      await write(inside, 'a');
      await client.query('savepoint mine');
      await write(inside, 'a', 'b');
      await client.query('rollback to savepoint mine');
      expect(await write(inside, 'c', 'b')).toEqual([1, 1]);
    });
    expect(await feed()).toEqual(['a 1', 'c 1', 'b 1']);
    expect(await find(store, [])).toEqual({ ids: ['a', 'c', 'b'], total: 3 });
  });

  test('can conflict, and the transaction goes on', async () => {
    await write(store, 'a');
    await onClient(async (inside) => {
      const stale = [change('b'), change('a', { expects: exactVersion(5) })];
      expect(await commit(inside, stale)).toMatchObject({ left: { _tag: 'Conflict', actual: 1 } });
      expect(await commit(inside, [change('a', { expects: noVersion })])).toMatchObject({
        left: { _tag: 'Conflict', actual: 1 },
      });
      expect(await write(inside, 'b')).toEqual([1]);
    });
    expect(await feed()).toEqual(['a 1', 'b 1']);
  });
});

const conflict = { left: { _tag: 'Conflict' } };

describe.each([
  { what: 'a record that must not change', before: ['a', 'b'], expects: exactVersion(1), next: 2 },
  { what: 'a record that must be absent', before: [], expects: noVersion, next: 1 },
])(
  'of two commits that check what the other one writes, one conflicts: $what',
  ({ before, expects, next }) => {
    const commitA = (on: ClinicalStore) => commit(on, [change('a', { expects })], [check('b', expects)]);
    const commitB = (on: ClinicalStore) => commit(on, [change('b', { expects })], [check('a', expects)]);

    beforeEach(async () => {
      if (before.length > 0) await write(store, ...before);
    });

    test('that of the transaction is first', async () => {
      const { inside, commit: end } = await begin();
      expect(await commitA(inside)).toMatchObject({ right: [next] });
      const other = commitB(store);
      await untilWaiting(1);
      await end();
      expect(await other).toMatchObject(conflict);
    });

    test('that of the transaction is undone, so that the other one is written', async () => {
      const { inside, rollBack } = await begin();
      expect(await commitA(inside)).toMatchObject({ right: [next] });
      const other = commitB(store);
      await untilWaiting(1);
      await rollBack();
      expect(await other).toMatchObject({ right: [next] });
    });

    test('that of the transaction is second', async () => {
      const { inside, commit: end } = await begin();
      await resultOf(inside.read({ type: 'Goal', id: 'b' }));
      expect(await commitB(store)).toMatchObject({ right: [next] });
      expect(await commitA(inside)).toMatchObject(conflict);
      await end();
    });

    test('both wait, and either is first', async () => {
      const holder = await pool.connect();
      await holder.query(`begin; select from ${schema}.head for update`);
      const other = commitB(store);
      await untilWaiting(1);
      const { inside, commit: end } = await begin();
      const joined = commitA(inside);
      await holder.query('rollback');
      holder.release();
      const outcome = await joined;
      await end();
      expect([outcome, await other].map(({ _tag }) => _tag).toSorted()).toEqual(['Left', 'Right']);
    });

    test('both are in transactions of the host', async () => {
      const first = await begin();
      const second = await begin();
      expect(await commitA(first.inside)).toMatchObject({ right: [next] });
      const other = commitB(second.inside);
      await untilWaiting(1);
      await first.commit();
      expect(await other).toMatchObject(conflict);
      await second.commit();
    });
  },
);

test('a record that another transaction of the host keeps locked is Locked after the timeout, and the transaction goes on', async () => {
  const first = await begin();
  await write(first.inside, 'a');
  const second = await begin({ transactionTimeout: 1 });
  expect(await commit(second.inside, [change('a')])).toMatchObject({
    left: { _tag: 'Locked', message: expect.stringContaining('keeps a record locked') },
  });
  expect(await write(second.inside, 'b')).toEqual([1]);
  await second.commit();
  await first.commit();
  expect(await feed()).toEqual(['b 1', 'a 1']);
});

describe('work that ends the transaction itself leaves an outcome that is not known', () => {
  const unknown = {
    tag: 'StoreFailure',
    issues: [{ rule: 'outcome-unknown' }],
    cause: {
      message:
        'The transaction was neither committed nor rolled back by inTransaction, and it is not known whether the commit was written.',
      cause: { message: expect.stringContaining('Leave COMMIT and ROLLBACK to inTransaction') },
    },
  };
  /** Each way to commit what is written, and then to resolve or to reject. */
  const ways: readonly [name: string, ...statements: string[]][] = [
    ['COMMIT', 'commit'],
    ['COMMIT behind a statement', `insert into visits values ('two'); commit`],
    ['COMMIT and BEGIN', 'commit', 'begin'],
    ['COMMIT AND CHAIN', 'commit and chain'],
    ['COMMIT, and a transaction in which a statement fails', 'commit', 'begin', 'select 1 / 0'],
    ['COMMIT, and another transaction', 'commit', `begin; insert into visits values ('two'); commit`],
    ['COMMIT behind a savepoint', 'savepoint one', 'select 1 / 0', 'rollback to one', 'commit'],
  ];
  const run = async (client: pg.PoolClient, statements: readonly string[]) => {
    for (const text of statements) await client.query(text).catch(() => {});
  };

  test.each(ways)('%s', async (_, ...statements) => {
    const ended = onClient(async (inside, client) => {
      await write(inside, 'a', 'b');
      await run(client, statements);
    });
    await expect(ended).rejects.toMatchObject(unknown);
    expect(await feed()).toEqual(['a 1', 'b 1']);
    expect(await find(store)).toEqual({ ids: ['a', 'b'], total: 2 });
  });

  test.each(ways)('%s, and rejects', async (_, ...statements) => {
    const ended = onClient(async (inside, client) => {
      await write(inside, 'a', 'b');
      await run(client, statements);
      throw betterNot;
    });
    await expect(ended).rejects.toMatchObject({
      ...unknown,
      cause: { ...unknown.cause, cause: betterNot },
    });
    expect(await feed()).toEqual(['a 1', 'b 1']);
  });

  test('COMMIT that it does not await', async () => {
    const ended = onClient(async (inside, client) => {
      await write(inside, 'a');
      void client.query('commit');
    });
    await expect(ended).rejects.toMatchObject(unknown);
    expect(await feed()).toEqual(['a 1']);
  });

  test.each([
    ['ROLLBACK', 'rollback'],
    ['ROLLBACK and BEGIN', 'rollback', 'begin'],
    ['ROLLBACK AND CHAIN', 'rollback and chain'],
  ])('%s', async (_, ...statements) => {
    const ended = onClient(async (inside, client) => {
      await write(inside, 'a');
      await run(client, statements);
    });
    await expect(ended).rejects.toMatchObject(unknown);
    expect([await feed(), await find(store)]).toEqual([[], { ids: [], total: 0 }]);
  });

  test('and nothing joins what the work has begun instead', async () => {
    const ended = onClient(async (inside, client) => {
      await write(inside, 'a');
      await run(client, ['commit', 'begin', `insert into visits values ('one')`]);
      expect(await commit(inside, [change('b')])).toMatchObject({
        left: { _tag: 'Misuse', message: expect.stringContaining('Leave COMMIT and ROLLBACK') },
      });
      await run(client, ['commit']);
      expect(await commit(inside, [change('c')])).toMatchObject({ left: { _tag: 'Misuse' } });
    });
    await expect(ended).rejects.toMatchObject(unknown);
    expect([await visits(), await feed()]).toEqual([1, ['a 1']]);
  });

  test('but rejects with the reason of the work if PostgreSQL has rolled all of it back', async () => {
    const undone = onClient(async (inside, client) => {
      await write(inside, 'a');
      await client.query('rollback');
      throw betterNot;
    });
    await expect(undone).rejects.toBe(betterNot);
    expect(await feed()).toEqual([]);
  });
});

describe('a call by the work that is not part of the transaction', () => {
  const forgotten = {
    left: { _tag: 'Misuse', message: expect.stringContaining('Call it on records.in(tx)') },
  };
  const ref = { type: 'Goal', id: 'a' };

  test('is refused at once, with the advice to join, as is each of its functions, also in tx.write', async () => {
    await write(store, 'a');
    await onClient(async (inside) => {
      await new Promise((resolve) => setImmediate(resolve));
      expect(
        await Promise.all([
          store.read(ref),
          store.readResource(ref),
          store.search({ type: 'Goal', conditions: [], start: { offset: 0 }, count: 1, withTotal: false }),
          commit(store, [change('a')]),
          store.commitAll([], []),
          store.readVersion({ ...ref, version: 1 }),
          store.history({ ...ref, limit: 1 }),
          store.changesSince({ limit: 1 }),
          store.feedEnd(),
          store.scan({ limit: 1 }),
        ]),
      ).toMatchObject(Array.from({ length: 10 }, () => forgotten));
      await write(inside, 'a');
    });
    await resultOf(store.commitAll([], [async () => expect(await store.read(ref)).toMatchObject(forgotten)]));
    expect(await feed()).toEqual(['a 1', 'a 2']);
  });

  test('goes on if it is of another request, of a database of its own, or late', async () => {
    const elsewhere = openPostgresStore({ pool: otherDatabase });
    await write(elsewhere, 'a');
    let late = async (): Promise<unknown> => null;
    await onClient(async () => {
      expect(await inAnotherRequest(() => write(store, 'a'))).toEqual([1]);
      expect(await write(elsewhere, 'a')).toEqual([2]);
      late = AsyncLocalStorage.bind(() => write(store, 'a'));
    });
    expect(await late()).toEqual([2]);
  });
});

describe('it is refused with a sentence', () => {
  const failure = (text: string) => ({ tag: 'Misuse', message: expect.stringContaining(text) });
  const misuse = (text: string) => ({ left: { _tag: 'Misuse', message: expect.stringContaining(text) } });

  test('what is done after the end', async () => {
    const { inside, commit: end } = await begin();
    await end();
    expect(await commit(inside, [change('a')])).toMatchObject(misuse('is over'));
    expect(await inside.read({ type: 'Goal', id: 'a' })).toMatchObject(misuse('is over'));
  });

  test('a transaction in which a statement of the host has failed, and nothing is written', async () => {
    const undone = onClient(async (inside, client) => {
      await write(inside, 'a');
      await expect(client.query('select 1 / 0')).rejects.toThrow();
      expect(await commit(inside, [change('b')])).toMatchObject(misuse('has failed'));
    });
    await expect(undone).rejects.toMatchObject(failure('has failed'));
    expect(await feed()).toEqual([]);
  });

  test('a transaction whose deferred constraints do not hold, and nothing is written', async () => {
    const undone = onClient(async (inside, client) => {
      await client.query(`insert into visits values ('one'), ('one')`);
      await write(inside, 'a');
    });
    await expect(undone).rejects.toMatchObject({ tag: 'StoreFailure', cause: { cause: { code: '23505' } } });
    expect([await visits(), await feed()]).toEqual([0, []]);
  });

  test('a second transaction on the client', async () => {
    const nested = onClient((_, client) => inTransaction(client, async () => {}));
    await expect(nested).rejects.toMatchObject(failure('open on this client already'));
  });

  test('a store of another kind, and to close the store', async () => {
    const client = await pool.connect();
    const outsider = inTransaction(client, async (tx) => tx.join({ ...store }));
    await expect(outsider).rejects.toThrow('openPostgresStore');
    client.release();
    await onClient(async (inside) => {
      await expect(inside.close()).rejects.toMatchObject({
        cause: { message: expect.stringContaining('ends with it') },
      });
    });
  });

  test('tables that are not migrated, even if the pool has no other client', async () => {
    const single = await newPool({ max: 1 });
    const fresh = openPostgresStore({ pool: single });
    const run = async () => {
      const client = await single.connect();
      try {
        return await inTransaction(client, (tx) => commit(tx.join(fresh), [change('a')]));
      } finally {
        client.release();
      }
    };
    expect(await run()).toMatchObject(misuse('Call store.migrate() before'));
    await fresh.migrate();
    expect(await run()).toMatchObject({ right: [1] });
  });
});
