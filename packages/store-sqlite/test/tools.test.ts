import {
  type ClinicalRecords,
  createClinicalRecords,
  type TransactionConnection,
} from '@clinical-records/core';
import type { ClinicalStore, Transaction } from '@clinical-records/core/store';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  fromDrizzle,
  fromKnex,
  fromKysely,
  fromPrisma,
  fromSqlite,
  fromTypeOrm,
  inTransaction,
  openSqliteStore,
} from '../src/index.ts';
import { newFile } from './files.ts';
import { change, findActive, ref, resultOf, tryWrite, write } from './store-helpers.ts';

type Tables = { readonly visits: { readonly name: string } };

let database: Database.Database;
let store: ClinicalStore;
let db: Kysely<Tables>;
let records: ClinicalRecords;

const open = (transactionTimeout = 5000) => {
  store = openSqliteStore({ database, prefix: 'chart_', transactionTimeout });
  records = createClinicalRecords({ store, extensionBase: 'urn:oid:1.2.3', careTeamRoles: [] });
};

beforeEach(() => {
  database = new Database(newFile());
  database.exec('CREATE TABLE visits (name TEXT)');
  db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
  open();
});
afterEach(async () => {
  // The states of these tests are not those of a chart.
  const { discrepancies } = await records.verify();
  expect(discrepancies.filter(({ what }) => what !== 'state')).toEqual([]);
  await store.close();
  database.close();
});

const addVisit = (name: string, on: Pick<Kysely<Tables>, 'insertInto'> = db) =>
  on.insertInto('visits').values({ name }).execute();
const visits = () => database.prepare('SELECT name FROM visits').pluck().all();
const betterNot = new Error('the host thinks better of it');
const misuse = (text: string) => ({ left: { _tag: 'Misuse', message: expect.stringContaining(text) } });

describe('a transaction that Kysely began', () => {
  test('has the writes of the records, which are durable with its COMMIT', async () => {
    const other = new Database(database.name);
    await db.transaction().execute(async (trx) => {
      await addVisit('one', trx);
      const inside = records.in(fromKysely(trx));
      await inside.directory.put('Organization', { id: 'lab', name: 'Lab' });
      expect(await inside.directory.read('Organization', 'lab')).toMatchObject({ name: 'Lab' });
      expect(other.prepare('SELECT count(*) FROM chart_records').pluck().get()).toBe(0);
    });
    expect(other.prepare('SELECT count(*) FROM chart_records').pluck().get()).toBe(1);
    expect([visits(), await records.directory.read('Organization', 'lab')]).toMatchObject([['one'], {}]);
    other.close();
  });

  test('takes them with it when it rolls back, and nothing of them is remembered', async () => {
    await write(store, change({ id: 'before' }));
    const undone = db.transaction().execute(async (trx) => {
      await addVisit('one', trx);
      const inside = fromKysely(trx).join(store);
      await write(inside, change({ id: 'a' }));
      expect(await findActive(inside)).toEqual(['before', 'a']);
      throw betterNot;
    });
    await expect(undone).rejects.toBe(betterNot);
    const index = [{ kind: 'token', parameter: 'x', system: '', code: 'y' }] as const;
    await write(store, change({ id: 'other', index }));
    await write(store, change({ id: 'after' }));
    expect([visits(), await findActive(store)]).toEqual([[], ['before', 'after']]);
    const feed = await resultOf(store.changesSince({ limit: 10 }));
    expect(feed.map(({ id }) => id)).toEqual(['before', 'other', 'after']);
  });

  test('undoes those since a savepoint', async () => {
    await db.transaction().execute(async (trx) => {
      const inside = fromKysely(trx).join(store);
      await write(inside, change({ id: 'a' }));
      await sql`savepoint host`.execute(trx);
      await write(inside, change({ id: 'b' }));
      await addVisit('b', trx);
      await sql`rollback to host`.execute(trx);
      await Promise.all(['c', 'd'].map((id) => write(inside, change({ id }))));
      await addVisit('c', trx);
    });
    expect([visits(), await findActive(store)]).toEqual([['c'], ['a', 'c', 'd']]);
  });

  test('has none of the writes that did not ask: they wait, at most for the transactionTimeout, and the error then names records.in', async () => {
    let waiting: Promise<unknown> = Promise.resolve();
    const undone = db.transaction().execute(async (trx) => {
      await write(fromKysely(trx).join(store), change({ id: 'joined' }));
      waiting = write(store, change({ id: 'alone' }));
      throw betterNot;
    });
    await expect(undone).rejects.toBe(betterNot);
    await waiting;
    expect(await findActive(store)).toEqual(['alone']);
    open(0);
    await db.transaction().execute(async (trx) => {
      await write(fromKysely(trx).join(store), change({ id: 'joined' }));
      expect(await tryWrite(store, change({ id: 'alone' }))).toMatchObject(
        misuse('records.in(fromKysely(trx))'),
      );
      expect(await store.read(ref)).toMatchObject(misuse('records.in(fromKysely(trx))'));
    });
  });

  test('is refused once it is over, and before it has begun', async () => {
    let late = store;
    await db.transaction().execute(async (trx) => {
      late = fromKysely(trx).join(store);
    });
    expect(await tryWrite(late, change())).toMatchObject({ left: { _tag: 'Misuse' } });
    expect(await tryWrite(fromKysely(db).join(store), change())).toMatchObject(
      misuse('No transaction is open'),
    );
    expect(await findActive(store)).toEqual([]);
  });

  test('is refused if it is on another handle, even while this one has a transaction', async () => {
    const other = new Database(newFile());
    other.exec('CREATE TABLE visits (name TEXT)');
    const otherStore = openSqliteStore({ database: other });
    const otherDb = new Kysely<Tables>({ dialect: new SqliteDialect({ database: other }) });
    await otherDb.transaction().execute(async (trx) => {
      const inside = fromKysely(trx).join(store);
      expect(await tryWrite(inside, change())).toMatchObject(misuse('must share a handle'));
      await db.transaction().execute(async (own) => {
        expect(await tryWrite(inside, change())).toMatchObject(misuse('another connection'));
        // Now both handles have the function of SQL, with different results.
        await write(fromKysely(trx).join(otherStore), change());
        expect(await tryWrite(inside, change())).toMatchObject(misuse('another connection'));
        await write(fromKysely(own).join(store), change());
      });
    });
    expect([await findActive(store), await findActive(otherStore)]).toEqual([['a'], ['a']]);
    await otherStore.close();
    other.close();
  });
});

describe('`resolve`', () => {
  let asked: (TransactionConnection | undefined)[];
  const createHost = () => {
    asked = [];
    return createClinicalRecords({
      store,
      extensionBase: 'urn:oid:1.2.3',
      careTeamRoles: [],
      resolve: {
        Organization: async (id, connection) => {
          asked.push(connection);
          const found = await connection?.query('SELECT name FROM visits WHERE name = ?', [id]);
          return found?.rows.length === 1 ? { id, name: String(found.rows[0]?.['name']) } : null;
        },
      },
    });
  };
  type Host = ReturnType<typeof createHost>;
  const readIn = async (host: Pick<Host, 'in'>, tx: Transaction) => {
    const { directory } = host.in(tx);
    expect(await directory.read('Organization', 'none')).toBeNull();
    expect(await directory.read('Organization', 'lab')).toMatchObject({ id: 'lab', name: 'lab' });
  };
  const undone = new Error('undone');

  /** Each way to join a transaction that has written a row, and is undone. It returns what the host has passed for it. */
  const ways: Readonly<Record<string, (host: Host) => Promise<unknown>>> = {
    inTransaction: async (host) => {
      const rolledBack = inTransaction(database, async (tx) => {
        await addVisit('lab');
        await readIn(host, tx);
        throw undone;
      });
      await expect(rolledBack).rejects.toBe(undone);
      return database;
    },
    fromSqlite: async (host) => {
      database.exec("BEGIN; INSERT INTO visits VALUES ('lab')");
      await readIn(host, fromSqlite(database));
      database.exec('ROLLBACK');
      return database;
    },
    fromKysely: async (host) => {
      const trx = await db.startTransaction().execute();
      await addVisit('lab', trx);
      await readIn(host, fromKysely(trx));
      await trx.rollback().execute();
      return trx;
    },
  };

  test.each(Object.entries(ways))(
    '%s: gets a connection until the end of the transaction',
    async (_, join) => {
      const passed = await join(createHost());
      const [first] = asked;
      expect(asked).toEqual([first, first]);
      expect(Object.keys(first ?? {})).toEqual(['query', 'transaction']);
      expect(first?.transaction).toBe(passed);
      await expect(first?.query('SELECT 1')).rejects.toThrow(Error);
    },
  );

  test('Knex and TypeORM run its queries by their own functions', async () => {
    const ask = async (text: string, values: readonly unknown[] = []) =>
      database.prepare(text).all(...values);
    for (const joined of [fromKnex({ raw: ask }), fromTypeOrm({ query: ask })]) {
      database.exec("BEGIN; INSERT INTO visits VALUES ('lab')");
      await readIn(createHost(), joined);
      expect(asked.map((connection) => Object.keys(connection ?? {}))).toEqual([
        ['query', 'transaction'],
        ['query', 'transaction'],
      ]);
      database.exec('ROLLBACK');
    }
  });

  test('gets none where nothing is open: in `records.transaction` and in a plain call', async () => {
    const host = createHost();
    await host.transaction((tx) => tx.directory.read('Organization', 'one'));
    await host.directory.read('Organization', 'two');
    expect(asked).toEqual([undefined, undefined]);
  });
});

test('a transaction that was begun on the handle itself is joined by name', async () => {
  database.exec('BEGIN');
  const inside = fromSqlite(database).join(store);
  await write(inside, change());
  database.exec('ROLLBACK');
  expect(await tryWrite(inside, change())).toMatchObject(misuse('No transaction is open'));
  expect(await findActive(store)).toEqual([]);
  expect(() => fromSqlite(new Database(':memory:')).join(store)).toThrow('another connection');
});

test('Knex and TypeORM are asked by their own functions', async () => {
  const asked: string[] = [];
  const ask = async (text: string) => {
    asked.push(text);
    return database.prepare(text).all();
  };
  database.exec('BEGIN');
  await write(fromKnex({ raw: ask }).join(store), change({ id: 'a' }));
  await write(fromTypeOrm({ query: ask }).join(store), change({ id: 'b' }));
  database.exec('COMMIT');
  expect([new Set(asked).size, await findActive(store)]).toEqual([1, ['a', 'b']]);
});

test.each([
  ['Drizzle', fromDrizzle, 'Use records.transaction'],
  ['Prisma', fromPrisma, 'a connection of its own'],
])('a transaction of %s is refused with a sentence', (_, from, text) => {
  expect(() => from({})).toThrow(text);
});
