import { AsyncLocalStorage } from 'node:async_hooks';
import { type ClinicalStore, exactVersion, noVersion } from '@clinical-records/core/store';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { inTransaction, openSqliteStore } from '../src/index.ts';
import { newFile } from './files.ts';
import { change, findActive, ref, resultOf, tryWrite, write } from './store-helpers.ts';

/** Runs work as if no transaction had called it. */
const inAnotherRequest = AsyncLocalStorage.snapshot();

let database: Database.Database;
let store: ClinicalStore;

const open = (transactionTimeout?: number) =>
  openSqliteStore({
    database,
    prefix: 'chart_',
    ...(transactionTimeout !== undefined && { transactionTimeout }),
  });

beforeEach(() => {
  database = new Database(newFile());
  database.exec('CREATE TABLE visits (name TEXT)');
  store = open();
});

afterEach(async () => {
  // A test may have closed it.
  await store.close().catch(() => {});
  database.close();
});

const addVisit = () => database.exec("INSERT INTO visits VALUES ('one')");
const visits = () => database.prepare('SELECT count(*) FROM visits').pluck().get();
const betterNot = new Error('the host thinks better of it');
const query = { type: 'Goal', conditions: [], start: { offset: 0 }, count: 1, withTotal: true };

test('writes that join the transaction of the host are undone with it', async () => {
  const undone = inTransaction(database, async (tx) => {
    addVisit();
    const inside = tx.join(store);
    expect(await write(inside, change())).toEqual([1]);
    expect(await findActive(inside)).toEqual(['a']);
    expect(await resultOf(inside.history({ ...ref, limit: 10 }))).toHaveLength(1);
    throw betterNot;
  });
  await expect(undone).rejects.toBe(betterNot);
  expect(visits()).toBe(0);
  expect(await resultOf(store.read(ref))).toBeNull();
  expect(await findActive(store)).toEqual([]);
  expect(await resultOf(store.changesSince({ limit: 10 }))).toEqual([]);
});

test('writes that join the transaction of the host are committed with it, and the result of the function is returned', async () => {
  const versions = await inTransaction(database, async (tx) => {
    addVisit();
    return write(tx.join(store), change());
  });
  expect([versions, visits(), await findActive(store)]).toEqual([[1], 1, ['a']]);
});

test('a commit that does not join waits, and is not affected by a rollback of the host', async () => {
  const outcomes: Promise<unknown>[] = [tryWrite(store, change({ id: 'before' }))];
  const undone = inTransaction(database, async (tx) => {
    outcomes.push(inAnotherRequest(() => tryWrite(store, change({ id: 'within' }))));
    await write(tx.join(store), change({ id: 'joined' }));
    throw betterNot;
  });
  outcomes.push(tryWrite(store, change({ id: 'after' })));
  await expect(undone).rejects.toBe(betterNot);
  expect(await Promise.all(outcomes)).toMatchObject([{ right: [1] }, { right: [1] }, { right: [1] }]);
  expect((await findActive(store)).toSorted()).toEqual(['after', 'before', 'within']);
});

test('a reader that does not join never reads uncommitted records', async () => {
  const read: Promise<unknown>[] = [];
  const undone = inTransaction(database, async (tx) => {
    await write(tx.join(store), change());
    inAnotherRequest(() => {
      read.push(resultOf(store.read(ref)), resultOf(store.changesSince({ limit: 10 })), findActive(store));
    });
    throw betterNot;
  });
  await expect(undone).rejects.toBe(betterNot);
  expect(await Promise.all(read)).toEqual([null, [], []]);
});

test('transactions on one handle take turns, and waiting commits are written between two of them', async () => {
  const results: string[] = [];
  const work = (name: string) =>
    inTransaction(database, async () => {
      results.push(name);
      if (name !== 'one') return;
      void inAnotherRequest(() => write(store, change()).then(() => results.push('written')));
    });
  await Promise.all([work('one'), work('two'), work('three')]);
  expect(results).toEqual(['one', 'written', 'two', 'three']);
});

test('a call by the work that is not part of the transaction is refused at once, with the advice to join', async () => {
  store = open(2 ** 30);
  const message = expect.stringContaining('records.in(tx)');
  const calls = [
    () => store.commit({ changes: [change()], versionChecks: [] }),
    () => store.read(ref),
    () => store.search(query),
  ];
  let isOver = false;
  const late = Promise.withResolvers<unknown>();
  await inTransaction(database, async () => {
    for (const call of calls) expect(await call()).toMatchObject({ left: { _tag: 'Misuse', message } });
    setImmediate(async function look() {
      if (isOver) late.resolve(await store.read(ref));
      else setImmediate(look);
    });
  });
  isOver = true;
  // A call that the work has begun may outlive it.
  expect(await late.promise).toMatchObject({ _tag: 'Right' });
  expect(await findActive(store)).toEqual([]);
});

test('a call of another request that has waited for too long is Locked', async () => {
  store = open(0);
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const transaction = inTransaction(database, () => {
    begin();
    return ended;
  });
  await begun;
  expect(await store.read(ref)).toMatchObject({ left: { _tag: 'Locked' } });
  end();
  await transaction;
});

test('a transaction waits for each of those before it, however long they take together', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const work = () => new Promise((resolve) => setTimeout(resolve, 30, 'done'));
  const transactions = Array.from({ length: 4 }, () =>
    inTransaction(database, work, { transactionTimeout: 50 }),
  );
  const all = Promise.all(transactions);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await all).toEqual(['done', 'done', 'done', 'done']);
});

test('a transaction cannot begin within another on the same handle', async () => {
  const nested = inTransaction(database, () => inTransaction(database, async () => {}));
  await expect(nested).rejects.toMatchObject({
    tag: 'Misuse',
    message: expect.stringContaining('cannot begin within the work of another one'),
  });
  const waiting = inTransaction(database, () =>
    inAnotherRequest(() => inTransaction(database, async () => {}, { transactionTimeout: 0 })),
  );
  await expect(waiting).rejects.toMatchObject({ tag: 'StoreFailure', issues: [{ rule: 'store-locked' }] });
  await inTransaction(database, async () => addVisit());
  expect(visits()).toBe(1);
});

test('a store that has joined is refused once the transaction has ended, also while the next one is open', async () => {
  let inside = store;
  await inTransaction(database, async (tx) => {
    inside = tx.join(store);
  });
  const over = { left: { _tag: 'Misuse', message: expect.stringContaining('is over') } };
  const isRefused = async () => {
    expect(await tryWrite(inside, change())).toMatchObject(over);
    expect(await inside.read(ref)).toMatchObject(over);
  };
  await isRefused();
  await inTransaction(database, isRefused);
  expect(await findActive(store)).toEqual([]);
});

test('only a store on the same handle can join', async () => {
  const other = openSqliteStore({ filename: newFile() });
  for (const outsider of [other, { ...store }]) {
    await expect(inTransaction(database, async (tx) => tx.join(outsider))).rejects.toThrow('same handle');
  }
  await other.close();
});

test('a store that has joined is not closed by close', async () => {
  await inTransaction(database, async (tx) => {
    await expect(tx.join(store).close()).rejects.toMatchObject({ tag: 'Misuse' });
  });
  await write(store, change());
});

test('index entries are found again after a transaction of the host that first named them was undone', async () => {
  await inTransaction(database, async (tx) => {
    await write(tx.join(store), change());
    throw betterNot;
  }).catch(() => {});
  await write(
    store,
    change({ id: 'other', index: [{ kind: 'token', parameter: 'x', system: '', code: 'y' }] }),
  );
  await write(store, change());
  expect(await findActive(store)).toEqual(['a']);
});

test('while the host iterates a statement on the handle, commits and searches are a Misuse that says why; afterwards they work', async () => {
  await write(store, change());
  const rows = database.prepare('SELECT 1 UNION SELECT 2').iterate();
  rows.next();
  for (const call of [
    () => store.commit({ changes: [change()], versionChecks: [] }),
    () => store.search(query),
  ]) {
    expect(await call()).toMatchObject({
      left: { _tag: 'Misuse', message: expect.stringContaining('a loop over `iterate()`') },
    });
  }
  rows.return?.();
  await write(store, change());
  expect(await findActive(store)).toEqual(['a']);
});

test.each([exactVersion(5), noVersion])(
  'a conflict leaves the transaction of the host as it was: %o',
  async (expects) => {
    await write(store, change());
    await inTransaction(database, async (tx) => {
      const inside = tx.join(store);
      addVisit();
      const stale = [change({ id: 'b' }), change({ expects })];
      expect(await inside.commit({ changes: stale, versionChecks: [] })).toMatchObject({
        left: { _tag: 'Conflict', actual: 1 },
      });
      expect(await write(inside, change())).toEqual([2]);
    });
    expect(visits()).toBe(1);
    expect(await findActive(store)).toEqual(['a']);
  },
);

test('a commit that SQLite undoes together with the whole transaction is Unavailable, and the transaction says so', async () => {
  database.exec(
    `CREATE TRIGGER refuse BEFORE UPDATE ON chart_records BEGIN SELECT RAISE(ROLLBACK, 'no'); END`,
  );
  const undone = inTransaction(database, async (tx) => {
    const inside = tx.join(store);
    addVisit();
    await write(inside, change());
    const next = [change({ expects: exactVersion(1) })];
    expect(await inside.commit({ changes: next, versionChecks: [] })).toMatchObject({
      left: { _tag: 'Unavailable' },
    });
    expect(await inside.read(ref)).toMatchObject({
      left: { _tag: 'Unavailable', message: expect.stringContaining('rolled back') },
    });
  });
  await expect(undone).rejects.toMatchObject({ cause: { message: expect.stringContaining('rolled back') } });
  expect(visits()).toBe(0);
  expect(await resultOf(store.read(ref))).toBeNull();
});

test.each([
  ['fails', betterNot, betterNot],
  [
    'is to be committed',
    null,
    expect.objectContaining({ error: expect.objectContaining({ _tag: 'Misuse' }) }),
  ],
])(
  'a transaction that %s while a statement is half read is undone once that is read',
  async (_, failure, reason) => {
    const begun = Promise.withResolvers<IterableIterator<unknown>>();
    const undone = inTransaction(database, async (tx) => {
      await write(tx.join(store), change());
      begun.resolve(database.prepare('SELECT 1').iterate());
      if (failure !== null) throw failure;
    });
    const outcome = expect(undone).rejects.toEqual(reason);
    const rows = await begun.promise;
    const written = tryWrite(store, change({ id: 'after' }));
    await new Promise((resolve) => setImmediate(resolve));
    rows.return?.();
    await outcome;
    expect(database.inTransaction).toBe(false);
    expect([await written, await findActive(store)]).toMatchObject([{ right: [1] }, ['after']]);
  },
);

const outcomeUnknown = { tag: 'StoreFailure', issues: [{ rule: 'outcome-unknown' }] };

describe.each(['COMMIT', 'ROLLBACK', 'COMMIT; BEGIN', 'ROLLBACK; BEGIN', 'COMMIT; SAVEPOINT other'])(
  'the outcome of work that runs %s itself is unknown',
  (statements) => {
    test('if it resolves', async () => {
      const ended = inTransaction(database, async (tx) => {
        await write(tx.join(store), change());
        database.exec(statements);
      });
      await expect(ended).rejects.toMatchObject(outcomeUnknown);
    });

    test('if it rejects, and the cause is its reason', async () => {
      const ended = inTransaction(database, async (tx) => {
        await write(tx.join(store), change());
        database.exec(statements);
        throw betterNot;
      });
      await expect(ended).rejects.toMatchObject({ ...outcomeUnknown, cause: { cause: betterNot } });
    });

    test('if it rejects because a call that joins is refused', async () => {
      const ended = inTransaction(database, async (tx) => {
        await write(tx.join(store), change());
        database.exec(statements);
        await write(tx.join(store), change({ expects: noVersion }));
        throw betterNot;
      });
      await expect(ended).rejects.toMatchObject(outcomeUnknown);
    });

    test('and the next transaction begins and is committed', async () => {
      const ended = inTransaction(database, async () => database.exec(statements));
      await expect(ended).rejects.toMatchObject(outcomeUnknown);
      expect(database.inTransaction).toBe(false);
      await inTransaction(database, (tx) => write(tx.join(store), change({ id: 'next' })));
      expect(await findActive(store)).toEqual(['next']);
    });
  },
);

test.each([
  ['SAVEPOINT a', 'RELEASE a', ['a', 'b']],
  ['SAVEPOINT a', 'SAVEPOINT b', ['a', 'b']],
  ['SAVEPOINT a', 'ROLLBACK TO a', ['a']],
  ['SAVEPOINT a', 'ROLLBACK TO a; RELEASE a', ['a']],
])('work may use savepoints of its own: %s, %s', async (before, after, found) => {
  await inTransaction(database, async (tx) => {
    await write(tx.join(store), change({ id: 'a' }));
    database.exec(before);
    await write(tx.join(store), change({ id: 'b' }));
    database.exec(after);
    database.transaction(addVisit)();
  });
  expect([await findActive(store), visits()]).toEqual([found, 1]);
});

test('work with open savepoints is undone with them if it rejects', async () => {
  const undone = inTransaction(database, async (tx) => {
    database.exec('SAVEPOINT a');
    await write(tx.join(store), change());
    throw betterNot;
  });
  await expect(undone).rejects.toBe(betterNot);
  expect(await findActive(store)).toEqual([]);
});

test('the outcome of a transaction that cannot be undone in time is unknown', async () => {
  let rows: IterableIterator<unknown> | undefined;
  const stays = inTransaction(
    database,
    async (tx) => {
      await write(tx.join(store), change());
      rows = database.prepare('SELECT 1').iterate();
    },
    { transactionTimeout: 0 },
  );
  await expect(stays).rejects.toMatchObject(outcomeUnknown);
  rows?.return?.();
  expect(database.inTransaction).toBe(true);
});

test('a transaction that the handle cannot begin rejects, and the next one begins', async () => {
  database.pragma('busy_timeout = 0');
  const other = new Database(database.name);
  other.exec('BEGIN IMMEDIATE');
  let hasRun = false;
  const work = async () => {
    hasRun = true;
  };
  await expect(inTransaction(database, work)).rejects.toMatchObject({
    tag: 'StoreFailure',
    cause: { cause: { code: 'SQLITE_BUSY' } },
  });
  expect(hasRun).toBe(false);
  other.close();
  await inTransaction(database, work);
  expect(hasRun).toBe(true);
});

test('a transaction inside a synchronous transaction of better-sqlite3 is refused with the alternative', async () => {
  const begin = () => store.begin?.();
  const inside = database.transaction(() => [begin()])();
  expect(await Promise.all(inside)).toMatchObject([
    { left: { _tag: 'Misuse', message: expect.stringContaining('Use records.transaction') } },
  ]);
  expect(begin()).toBeNull();
});

test('a transaction that begins while another one, not synchronous, is open is not refused', async () => {
  await inTransaction(database, async () => {
    expect(store.begin?.()).toBeNull();
  });
  database.exec('BEGIN');
  const begun = store.begin?.();
  await new Promise((resolve) => setImmediate(resolve));
  database.exec('COMMIT');
  expect(await begun).toMatchObject({ _tag: 'Right' });
});

test('reads and writes while the host has a transaction open by hand wait for its end, and are not undone with it', async () => {
  const before = tryWrite(store, change({ id: 'before' }));
  database.exec("BEGIN; INSERT INTO visits VALUES ('one')");
  const within = tryWrite(store, change({ id: 'within' }));
  const read = store.read(ref);
  await new Promise((resolve) => setImmediate(resolve));
  database.exec('ROLLBACK');
  expect(await Promise.all([before, within, read])).toMatchObject([
    { right: [1] },
    { right: [1] },
    { right: null },
  ]);
  expect(visits()).toBe(0);
  expect((await findActive(store)).toSorted()).toEqual(['before', 'within']);
});

test('a store that is closed within the transaction of the host writes nothing more into it', async () => {
  const before = tryWrite(store, change());
  database.exec('BEGIN');
  const within = tryWrite(store, change({ id: 'b' }));
  await new Promise((resolve) => setImmediate(resolve));
  await store.close();
  for (const outcome of [await before, await within])
    expect(outcome).toMatchObject({ left: { _tag: 'Closed' } });
  database.exec('COMMIT');
  expect(database.prepare('SELECT count(*) FROM chart_records').pluck().get()).toBe(0);
});

test('while the host steps through rows on the handle, a commit is a Misuse and reads work', async () => {
  await write(store, change());
  database.exec("INSERT INTO visits VALUES ('one'), ('two')");
  const next = () => store.commit({ changes: [change()], versionChecks: [] });
  for (const _ of database.prepare('SELECT name FROM visits').iterate()) {
    expect(await next()).toMatchObject({
      left: { _tag: 'Misuse', message: expect.stringContaining('a loop over `iterate()`') },
    });
    expect(await resultOf(store.read(ref))).toMatchObject({ version: 1 });
  }
  expect(await next()).toMatchObject({ right: [2] });
});
