import { AsyncLocalStorage } from 'node:async_hooks';
import { createClinicalRecords, type TransactionConnection } from '@clinical-records/core';
import type { Transaction } from '@clinical-records/core/store';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { fromKysely, fromPg, fromQuery, inTransaction, openPostgresStore } from '../../src/index.ts';
import { newDatabase, openPool } from '../tenants/databases.ts';
import { queryOn, toolsOn } from './tools-on.ts';

const inAnotherRequest = AsyncLocalStorage.snapshot();

const database = await newDatabase();
const pool = openPool(database, { max: 8 });
const pipelined = openPool(database, { max: 2, pipeline: true });
const store = openPostgresStore({ pool });
await store.migrate();
await pool.query('create table visits (name text)');

let asked: (TransactionConnection | undefined)[];
beforeEach(() => {
  asked = [];
});

/** A lookup of a visit: the same lines in a transaction and outside of one. */
const findVisit = async (id: string, connection?: TransactionConnection) => {
  asked.push(connection);
  const { rows } = await (connection ?? pool).query(
    'select name, $1::text as other from visits where name = $2',
    [null, id],
  );
  expect(rows).toEqual(rows.map(() => ({ name: id, other: null })));
  return rows.length === 0 ? null : { id, patientId: 'amy' };
};

const createRecords = () =>
  createClinicalRecords({
    store,
    extensionBase: 'urn:oid:1.2.3',
    careTeamRoles: [],
    resolve: { Patient: (id) => ({ id, lastName: 'Shaw' }), Encounter: findVisit },
  });

type Work = (tx: Transaction, insert: (name: string) => Promise<unknown>) => Promise<void>;

/** Each way to join a transaction. It returns what the host has passed for its transaction. */
type Way = (work: Work) => Promise<unknown>;

const onClient =
  (join: (client: pg.PoolClient) => Transaction, from = pool): Way =>
  async (work) => {
    const client = await from.connect();
    try {
      await client.query('begin');
      await work(join(client), (name) => client.query('insert into visits values ($1)', [name]));
      return client;
    } finally {
      await client.query('rollback');
      client.release();
    }
  };

const within =
  (from: pg.Pool): Way =>
  async (work) => {
    const client = await from.connect();
    const undone = new Error('undone');
    await inTransaction(client, async (tx) => {
      await work(tx, (name) => client.query('insert into visits values ($1)', [name]));
      throw undone;
    })
      .catch((cause) => expect(cause).toBe(undone))
      .finally(() => client.release());
    return client;
  };

const onTool = (name: keyof ReturnType<typeof toolsOn>) => onClient((client) => toolsOn(client)[name]);

const ways: Readonly<Record<string, Way>> = {
  inTransaction: within(pool),
  'inTransaction on a client with a pipeline': within(pipelined),
  fromPg: onClient(fromPg),
  'fromPg on a client with a pipeline': onClient(fromPg, pipelined),
  fromQuery: onClient((client) => fromQuery(client, queryOn(client))),
  fromKysely: async (work) => {
    const db = new Kysely<{ visits: { name: string } }>({ dialect: new PostgresDialect({ pool }) });
    const trx = await db.startTransaction().execute();
    try {
      await work(fromKysely(trx), (name) => trx.insertInto('visits').values({ name }).execute());
    } finally {
      await trx.rollback().execute();
    }
    return trx;
  },
  fromKnex: onTool('fromKnex'),
  fromTypeOrm: onTool('fromTypeOrm'),
  fromPrisma: onTool('fromPrisma'),
  fromDrizzle: onTool('fromDrizzle'),
};

/** The ways in which the transaction is the client itself, or what Kysely has. The others are asked by a function of the test. */
const passesItself = (name: string) => !/Knex|TypeOrm|Prisma|Drizzle/.test(name);

test.each(Object.entries(ways))(
  '%s: `resolve` gets a connection that sees what the transaction has written, until its end',
  async (name, join) => {
    const records = createRecords();
    const passed = await join(async (tx, insert) => {
      await insert('one');
      await insert('two');
      const { directory } = records.in(tx);
      const ids = ['one', 'two', 'none'];
      const read = await Promise.all(ids.map((id) => directory.read('Encounter', id)));
      expect(read).toMatchObject([{ id: 'one' }, { id: 'two' }, null]);
      const outside = () => records.directory.read('Encounter', 'one');
      expect(await inAnotherRequest(outside)).toBeNull();
    });
    const [first, , , outside] = asked;
    expect(asked).toEqual([first, first, first, undefined]);
    expect(outside).toBeUndefined();
    expect(Object.keys(first ?? {})).toEqual(['query', 'transaction']);
    if (passesItself(name)) expect(first?.transaction).toBe(passed);
    if (/inTransaction|Kysely/.test(name)) await expect(first?.query('select 1')).rejects.toThrow(Error);
  },
);

test('a query that fails in it fails the call with the error as its cause', async () => {
  const broken = createClinicalRecords({
    store,
    extensionBase: 'urn:oid:1.2.3',
    careTeamRoles: [],
    resolve: {
      Encounter: async (_, connection) => {
        await connection?.query('select from nothing');
        return null;
      },
    },
  });
  await onClient(fromPg)(async (tx) => {
    await expect(broken.in(tx).directory.read('Encounter', 'one')).rejects.toMatchObject({
      tag: 'StoreFailure',
      issues: [{ rule: 'resolve-failed' }],
      cause: { code: '42P01' },
    });
  });
});

test('`records.transaction` and a plain call have no connection, because nothing is open', async () => {
  const records = createRecords();
  await records.transaction((tx) => tx.directory.read('Encounter', 'one'));
  await records.directory.read('Encounter', 'two');
  expect(asked).toEqual([undefined, undefined]);
});
