import Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createGroupRead, createRecordLookup } from '../../src/group-read.ts';
import { createHostTransactionGate } from '../../src/host-transaction.ts';
import { openSqliteStore } from '../../src/index.ts';
import { newFile } from '../files.ts';
import { change, ref, resultOf, write } from '../store-helpers.ts';

/** Does each in a callback of its own, all in one turn of the event loop. */
const inOneTurn = <A>(...works: readonly (() => Promise<A>)[]): Promise<readonly A[]> =>
  Promise.all(
    works.map((work) => new Promise<A>((resolve) => setImmediate(() => void work().then(resolve)))),
  );

/** A handle that reports the first words of the statements it has run. */
const telling = () => {
  const statements: string[] = [];
  const database = new Database(newFile(), {
    verbose: (sql) => statements.push(/^\w+/.exec(String(sql))?.[0].toUpperCase() ?? ''),
  });
  return { database, takeStatements: () => statements.splice(0) };
};

test('several callbacks of a turn read in one transaction, except the first', async () => {
  // The reads of a turn go on in the next one if they take too long, as on a busy machine.
  const { mockRestore } = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(mockRestore);
  const { database, takeStatements } = telling();
  const store = openSqliteStore({ database });
  await write(store, change());
  takeStatements();
  const read = () => resultOf(store.read(ref));
  const all = await inOneTurn(read, read, read);
  expect(takeStatements()).toEqual(['SELECT', 'BEGIN', 'SELECT', 'SELECT', 'COMMIT']);
  expect(all.map((record) => record?.version)).toEqual([1, 1, 1]);
  database.close();
});

test('a single reader has its result before the turn ends, however often it reads', async () => {
  const { database, takeStatements } = telling();
  const store = openSqliteStore({ database });
  takeStatements();
  let hasEnded = false;
  const [hadEnded] = await inOneTurn(async () => {
    setImmediate(() => {
      hasEnded = true;
    });
    for (let times = 0; times < 3; times++) await resultOf(store.read(ref));
    return hasEnded;
  });
  expect(hadEnded).toBe(false);
  await inOneTurn(async () => {});
  expect(takeStatements()).toEqual(['SELECT', 'SELECT', 'SELECT']);
  database.close();
});

test('many records of a type that one callback requests at once are looked up with one statement', async () => {
  const { database, takeStatements } = telling();
  const store = openSqliteStore({ database });
  await write(store, change(), change({ type: 'Note' }), change({ id: 'é"' }));
  takeStatements();
  const refs = [ref, { ...ref, id: 'none' }, { ...ref, type: 'Note' }, { ...ref, id: 'é"' }, ref];
  const found = await Promise.all(refs.map((one) => resultOf(store.read(one))));
  expect(found.map((record) => record && { type: record.type, id: record.id })).toEqual(
    refs.map((one) => (one.id === 'none' ? null : one)),
  );
  expect(found[0]).toEqual(await resultOf(store.read(ref)));
  expect(takeStatements()).toEqual(['SELECT', 'SELECT', 'SELECT']);
  database.close();
});

test('however many records are requested at once, all are found', async () => {
  const store = openSqliteStore({ filename: ':memory:' });
  const ids = Array.from({ length: 600 }, (_, at) => `${at}`);
  await write(store, ...ids.map((id) => change({ id })));
  const found = await Promise.all(ids.map((id) => resultOf(store.read({ ...ref, id }))));
  expect(found.map((record) => record?.id)).toEqual(ids);
  await store.close();
});

test('a record that cannot be read does not harm those that are looked up with it', async () => {
  const database = new Database(':memory:');
  const isStoreOpen = () => true;
  const gate = createHostTransactionGate(database, { transactionTimeout: 0, isStoreOpen });
  const { read } = createRecordLookup(createGroupRead(database, gate), {
    readCurrentOf: () => {
      throw new Error('One page is damaged.');
    },
    readCurrent: ({ id }) => {
      if (id === 'damaged') throw new Error('The page is damaged.');
      return null;
    },
  });
  const outcomes = await Promise.all(['a', 'damaged', 'b'].map((id) => read({ ...ref, id })));
  expect(outcomes.map(({ _tag }) => _tag)).toEqual(['Right', 'Left', 'Right']);
  database.close();
});

test('a record that is requested just before the store is closed is read', async () => {
  const store = openSqliteStore({ filename: newFile() });
  await write(store, change());
  const [record] = await Promise.all([resultOf(store.read(ref)), store.close()]);
  expect(record).toMatchObject({ version: 1 });
});

test('a failed read does not harm the reads in the same transaction', async () => {
  const database = new Database(newFile());
  const store = openSqliteStore({ database });
  await write(store, change());
  database.exec('DROP TABLE superseded');
  const outcomes = await inOneTurn<{ readonly _tag: string }>(
    () => store.read(ref),
    () => store.readResource(ref),
    () => store.history({ ...ref, limit: 1 }),
    () => store.read(ref),
  );
  expect(outcomes.map(({ _tag }) => _tag)).toEqual(['Right', 'Right', 'Left', 'Right']);
  database.close();
});

test('reads that wait for the end of a turn run before the store is closed', async () => {
  const store = openSqliteStore({ filename: newFile() });
  await write(store, change());
  const outcomes = await inOneTurn<{ readonly _tag: string }>(
    () => store.read(ref),
    () => store.read(ref),
    async () => E.right(await store.close()),
    () => store.read(ref),
  );
  expect(outcomes.map(({ _tag }) => _tag)).toEqual(['Right', 'Right', 'Right', 'Left']);
});

test('reads that wait for the end of a turn in which the host begins a transaction run when that has ended', async () => {
  const database = new Database(newFile());
  const store = openSqliteStore({ database });
  const beginning = async () => {
    database.exec(
      "BEGIN; INSERT INTO records (position, type, id, version, readable, at, state, digest) VALUES (1, 'Goal', 'a', 1, 0, 0, '{}', '')",
    );
    setImmediate(() => database.exec('ROLLBACK'));
    return null;
  };
  const read = () => resultOf(store.read(ref));
  expect(await inOneTurn(read, read, beginning)).toEqual([null, null, null]);
  database.close();
});

test('reads that wait for the end of a turn in which the host closes its handle are Unavailable', async () => {
  const database = new Database(newFile());
  const store = openSqliteStore({ database });
  const outcomes = await inOneTurn<{ readonly _tag: string }>(
    () => store.read(ref),
    () => store.read(ref),
    () => store.read(ref),
    async () => {
      database.close();
      return { _tag: 'closed' };
    },
  );
  expect(outcomes.map(({ _tag }) => _tag)).toEqual(['Right', 'Left', 'Left', 'closed']);
});

test('reads of a turn that take long together leave the rest to the next turn', async () => {
  const database = new Database(newFile());
  const { read } = createGroupRead(
    database,
    createHostTransactionGate(database, { transactionTimeout: 1000, isStoreOpen: () => true }),
  );
  const order: string[] = [];
  const long = (name: string) => () => {
    const end = performance.now() + 11;
    while (performance.now() < end);
    order.push(name);
  };
  const inThirdTurn = (work: () => void) => setImmediate(() => setImmediate(() => setImmediate(work)));
  inThirdTurn(() => order.push('the next turn'));
  await inOneTurn(
    () => read(long('at once')),
    () => read(long('together')),
    () => read(long('left over')),
  );
  expect(order).toEqual(['at once', 'together', 'the next turn', 'left over']);
  database.close();
});

test('remaining reads run once a turn, however many turns leave some', async () => {
  const database = new Database(newFile());
  const { read } = createGroupRead(
    database,
    createHostTransactionGate(database, { transactionTimeout: 1000, isStoreOpen: () => true }),
  );
  let reads = 0;
  const long = () => {
    const end = performance.now() + 11;
    while (performance.now() < end);
    reads += 1;
  };
  const readsOfTurns: number[] = [];
  const pending: Promise<unknown>[] = [];
  const inTurn = async () => {
    for (let turn = 0; turn < 12; turn++) {
      readsOfTurns.push(reads);
      reads = 0;
      if (turn < 3) pending.push(inOneTurn(...Array(3).fill(() => read(long))));
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await inTurn();
  await Promise.all(pending);
  // The first read of a turn returns at once, and a waiting one at the end of the turn.
  expect(Math.max(...readsOfTurns)).toBe(2);
  database.close();
});
