import { createClinicalRecords } from '@clinical-records/core';
import { type ClinicalStore, exactVersion, type RecordChange } from '@clinical-records/core/store';
import { Kysely, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  fromDrizzle,
  fromKnex,
  fromKysely,
  fromPg,
  fromPrisma,
  fromQuery,
  fromTypeOrm,
  type HostQuery,
  inTransaction,
  openPostgresStore,
} from '../../src/index.ts';
import { change, ref, resultOf, write } from '../store-helpers.ts';
import { newPool } from '../tenants/databases.ts';
import { queryOn, toolsOn } from './tools-on.ts';

const pool = await newPool({ max: 20 });
const pipelined = await newPool({ pipeline: true });

let count = 0;
let schema: string;
let store: ClinicalStore;

beforeEach(async () => {
  schema = `tools_${++count}`;
  const opened = openPostgresStore({ pool, schema, transactionTimeout: 1000 });
  await opened.migrate();
  store = opened;
});

const feed = async (on = store) =>
  (await resultOf(on.changesSince({ limit: 1000 }))).map(({ id, version }) => `${id} ${version}`);

afterEach(async () => {
  const records = createClinicalRecords({ store, extensionBase: 'urn:oid:1.2.3', careTeamRoles: [] });
  const { discrepancies, miscounted } = await records.verify();
  const broken = discrepancies.filter(({ what }) => ['digest', 'position', 'order'].includes(what));
  const { rows } = await pool.query(
    `select position::integer from ${schema}.versions order by versions.position`,
  );
  const left = await pool.query(`select from ${schema}.host_transactions`);
  expect([broken, miscounted, left.rows]).toEqual([[], [], []]);
  // Also no position is provisional: that would be no integer.
  expect(rows.map(({ position }) => position)).toEqual(rows.map((_, at) => at + 1));
});

/** The ways in which a client is joined. */
const ways = [
  ['fromPg', (client: pg.PoolClient) => fromPg(client)],
  ['fromQuery', (client: pg.PoolClient) => fromQuery(client, queryOn(client))],
] as const;

const isolated = 'begin isolation level';

/** Runs work on a client, which is returned to its pool outside of any transaction. */
const onClient = async <A>(work: (client: pg.PoolClient) => Promise<A>, from = pool): Promise<A> => {
  const client = await from.connect();
  try {
    return await work(client);
  } finally {
    await client.query('rollback');
    client.release();
  }
};

const tryWrite = (on: ClinicalStore, ...changes: readonly RecordChange[]) =>
  on.commit({ changes, versionChecks: [] });
const misuse = (text: string) => ({ left: { _tag: 'Misuse', message: expect.stringContaining(text) } });

describe.each(ways)('a transaction of the host that %s joins', (_, from) => {
  test('has what was written, and its COMMIT gives that its places; a ROLLBACK and that to a savepoint undo it', async () => {
    await write(store, change({ id: 'before' }));
    await onClient(async (client) => {
      await client.query('begin');
      const inside = from(client).join(store);
      expect(await write(inside, change({ id: 'before' }), change({ id: 'a' }))).toEqual([2, 1]);
      await client.query('savepoint mine');
      await write(inside, change({ id: 'a' }), change({ id: 'b' }));
      await client.query('rollback to savepoint mine');
      expect(await write(inside, change({ id: 'a' }), change({ id: 'c' }))).toEqual([2, 1]);
      expect(await resultOf(inside.read({ ...ref, id: 'b' }))).toBeNull();
      expect(await feed()).toEqual(['before 1']);
      await client.query('commit');
      await client.query('begin');
      await write(from(client).join(store), change({ id: 'undone' }));
      await client.query('rollback');
    });
    expect(await feed()).toEqual(['before 1', 'before 2', 'a 1', 'a 2', 'c 1']);
  });

  test.each(['repeatable read', 'serializable'])('must not have the isolation level %s', async (level) => {
    await onClient(async (client) => {
      await client.query(`${isolated} ${level}`);
      const inside = from(client).join(store);
      expect(await tryWrite(inside, change())).toMatchObject(misuse(`${level}, in which its COMMIT`));
      expect(await inside.read(ref)).toMatchObject(misuse('Begin it with READ COMMITTED'));
      await client.query('commit');
    });
    expect(await feed()).toEqual([]);
  });

  test('must be open, and be the same one', async () => {
    await onClient(async (client) => {
      const early = from(client).join(store);
      expect(await tryWrite(early, change())).toMatchObject(misuse('is not open'));
      await client.query('begin');
      const inside = from(client).join(store);
      await write(inside, change());
      await client.query('commit');
      expect(await tryWrite(inside, change())).toMatchObject(misuse('is not open'));
      await client.query('begin');
      expect(await tryWrite(inside, change())).toMatchObject(misuse('is not open'));
      expect(await inside.read(ref)).toMatchObject(misuse('is not open'));
      await client.query('commit');
    });
    expect(await feed()).toEqual(['a 1']);
  });

  test('waits for another one that has locked a record, as long as the store says, and goes on with the settings of the host', async () => {
    await onClient(async (first) => {
      await first.query('begin');
      await write(from(first).join(store), change());
      await onClient(async (second) => {
        await second.query("begin; set local lock_timeout = '7s'; set local jit = on");
        const inside = from(second).join(store);
        expect(await tryWrite(inside, change())).toMatchObject({ left: { _tag: 'Locked' } });
        await write(inside, change({ id: 'b' }));
        const settings = `select current_setting('lock_timeout') as lock, current_setting('jit') as jit`;
        expect((await second.query(settings)).rows).toEqual([{ lock: '7s', jit: 'on' }]);
        await second.query('commit');
      });
      await first.query('commit');
    });
    expect(await feed()).toEqual(['b 1', 'a 1']);
  });

  test('of two that wait for each other, one ends its call at once, and the other one goes on', async () => {
    const patient = openPostgresStore({ pool, schema, transactionTimeout: 600_000 });
    await onClient(async (first) => {
      await onClient(async (second) => {
        const ids = ['a', 'b'] as const;
        const hosts = [first, second].map((client) => ({ client, inside: from(client).join(patient) }));
        for (const [at, { client, inside }] of hosts.entries()) {
          await client.query('begin');
          await write(inside, change({ id: ids[at] ?? '' }));
        }
        /** Each writes the record of the other, and one that cannot is rolled back. */
        const outcomes = await Promise.all(
          hosts.map(async ({ client, inside }, at) => {
            const outcome = await tryWrite(inside, change({ id: ids[1 - at] ?? '' }));
            await client.query(outcome._tag === 'Right' ? 'commit' : 'rollback');
            return outcome._tag === 'Right' ? 'written' : outcome.left._tag;
          }),
        );
        expect(outcomes.toSorted()).toEqual(['Locked', 'written']);
      });
    });
    expect((await feed()).toSorted()).toEqual(['a 1', 'b 1']);
  });

  test('can conflict, or have failed', async () => {
    await write(store, change());
    await onClient(async (client) => {
      await client.query('begin');
      const inside = from(client).join(store);
      expect(await tryWrite(inside, change({ expects: exactVersion(2) }))).toMatchObject({
        left: { _tag: 'Conflict', actual: 1 },
      });
      await expect(client.query('select 1 / 0')).rejects.toThrow();
      expect(await tryWrite(inside, change())).toMatchObject(misuse('has failed'));
      expect((await client.query('commit')).command).toBe('ROLLBACK');
    });
    expect(await feed()).toEqual(['a 1']);
  });

  test('is lost with its connection', async () => {
    const client = await pool.connect();
    client.on('error', () => {});
    await client.query('begin');
    const inside = from(client).join(store);
    const { rows } = await client.query('select pg_backend_pid() as pid');
    await write(inside, change());
    await pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
    expect(await tryWrite(inside, change())).toMatchObject({ left: { _tag: 'Unavailable' } });
    expect(await tryWrite(inside, change())).toMatchObject({ left: { _tag: 'Unavailable' } });
    client.release(true);
    expect(await feed()).toEqual([]);
  });

  test('runs calls at once one after the other, also those of several joins', async () => {
    const ids = Array.from({ length: 10 }, (_, at) => `r${at}`);
    await onClient(async (client) => {
      await client.query('begin');
      await Promise.all(ids.map((id) => write(from(client).join(store), change({ id }))));
      await client.query('commit');
    });
    expect((await feed()).toSorted()).toEqual(ids.map((id) => `${id} 1`));
  });

  test('places its versions after the deferred constraints of the host', async () => {
    await pool.query(`
      create table ${schema}_visits (name text);
      create table ${schema}_log (provisional bigint);
      create function ${schema}_check() returns trigger language plpgsql as $$ begin
        insert into ${schema}_log select count(*) from ${schema}.versions where position >= 2 ^ 52;
        return null;
      end $$;
      create constraint trigger late after insert on ${schema}_visits deferrable initially deferred
        for each row execute function ${schema}_check()`);
    await onClient(async (client) => {
      await client.query('begin');
      await write(from(client).join(store), change());
      await client.query(`insert into ${schema}_visits values ('one')`);
      await client.query('commit');
    });
    expect((await pool.query(`select provisional::integer from ${schema}_log`)).rows).toEqual([
      { provisional: 1 },
    ]);
    expect(await feed()).toEqual(['a 1']);
  });

  test('may set its constraints before its end', async () => {
    await onClient(async (client) => {
      await client.query('begin; set constraints all immediate');
      const inside = from(client).join(store);
      await write(inside, change());
      await write(inside, change(), change({ id: 'b' }));
      await client.query('commit');
    });
    expect(await feed()).toEqual(['a 1', 'a 2', 'b 1']);
  });
});

/** Reads while the table is locked by another transaction, in one that waits for no lock for long. */
const failToRead = async (client: pg.PoolClient, inside: ClinicalStore, from = pool): Promise<void> => {
  await onClient(async (locker) => {
    await locker.query(`begin; lock table ${schema}.versions in access exclusive mode nowait`);
    await client.query(`set local lock_timeout = '10ms'`);
    expect(await inside.read(ref)).toMatchObject({ left: { _tag: 'Unavailable', cause: { code: '55P03' } } });
  }, from);
};

test('a read that PostgreSQL refuses is undone on a client with a pipeline, and the transaction goes on', async () => {
  const own = openPostgresStore({ pool: pipelined, schema, transactionTimeout: 1000 });
  await own.migrate();
  await onClient(async (client) => {
    await client.query('begin');
    const inside = fromPg(client).join(own);
    await failToRead(client, inside, pipelined);
    await write(inside, change());
    await client.query('commit');
  }, pipelined);
  expect(await feed(own)).toEqual(['a 1']);
});

test.each(ways)(
  'in %s without a pipeline, it ends the transaction, as a statement of the host does',
  async (_, from) => {
    for (const isSaved of [true, false]) {
      await onClient(async (client) => {
        await client.query('begin; savepoint mine');
        const inside = from(client).join(store);
        await failToRead(client, inside);
        expect(await inside.read(ref)).toMatchObject(misuse('has failed'));
        expect(await tryWrite(inside, change())).toMatchObject(misuse('has failed'));
        if (isSaved) {
          await client.query('rollback to savepoint mine');
          await write(inside, change());
        }
        expect((await client.query('commit')).command).toBe(isSaved ? 'COMMIT' : 'ROLLBACK');
      });
    }
    expect(await feed()).toEqual(['a 1']);
  },
);

test.each(ways)(
  'outside of a transaction, %s allows a read, and refuses a write behind it',
  async (_, from) => {
    await write(store, change());
    await onClient(async (client) => {
      const inside = from(client).join(store);
      expect(await resultOf(inside.read(ref))).toMatchObject({ version: 1 });
      expect(await tryWrite(inside, change())).toMatchObject(misuse('is not open'));
      expect(await inside.read(ref)).toMatchObject(misuse('is not open'));
    });
    expect(await feed()).toEqual(['a 1']);
  },
);

test('a write that PostgreSQL cancels is undone, and the transaction goes on', async () => {
  await onClient(async (locker) => {
    await locker.query(`begin; lock table ${schema}.searchable in exclusive mode`);
    await onClient(async (client) => {
      await client.query(`begin; set local statement_timeout = '2s'`);
      // It waits for the lock for longer.
      const inside = fromPg(client).join(openPostgresStore({ pool, schema, transactionTimeout: 600_000 }));
      const cancelled = { left: { _tag: 'Unavailable', cause: { code: '57014' } } };
      expect(await tryWrite(inside, change())).toMatchObject(cancelled);
      await locker.query('rollback');
      await client.query(`set local statement_timeout = 0`);
      await write(inside, change({ id: 'b' }));
      await client.query('commit');
    });
  });
  expect(await feed()).toEqual(['b 1']);
});

test('texts, numbers and dates come through a tool as through pg', async () => {
  const odd = [
    '\u0000',
    '\u0001',
    '"',
    '\\',
    '{a,b}',
    'null',
    '',
    ' ',
    '$1',
    '?',
    "'",
    '\u{1F9E0}',
    'é',
    ',',
  ];
  const changes = odd.map((text, at) =>
    change({
      id: `odd-${at}`,
      patientId: text,
      by: text,
      at: 2 ** 45 + at,
      state: JSON.stringify({ text }),
      resource: JSON.stringify(text),
      index: [
        { kind: 'token', parameter: text, system: text, code: text },
        { kind: 'date', parameter: 'due', from: -at, until: 2 ** 45 },
      ],
    }),
  );
  await onClient(async (client) => {
    await client.query('begin');
    await write(
      fromQuery(client, queryOn(client)).join(store),
      ...changes,
      change({ by: null, patientId: null }),
    );
    await client.query('commit');
  });
  const read = async (on: ClinicalStore) => ({
    scan: await on.scan({ limit: 100 }),
    feed: await on.changesSince({ limit: 100 }),
    end: await on.feedEnd(),
    each: await Promise.all(
      odd.flatMap((text, at) => [
        on.read({ ...ref, id: `odd-${at}` }),
        on.readResource({ ...ref, id: `odd-${at}` }),
        on.readVersion({ ...ref, id: `odd-${at}`, version: 1 }),
        on.history({ ...ref, id: `odd-${at}`, limit: 9 }),
        ...[
          { on: 'patient', anyOf: [text] } as const,
          { on: 'token', parameter: text, anyOf: [{ system: text, code: text }] } as const,
        ].map((condition) =>
          on.search({
            type: 'Goal',
            conditions: [condition],
            start: { offset: 0 },
            count: 5,
            withTotal: true,
          }),
        ),
      ]),
    ),
  });
  const outside = await read(store);
  expect(outside.scan).toMatchObject({ right: [...changes, {}].map(() => ({})) });
  await onClient(async (client) => {
    await client.query('begin');
    expect(await read(fromQuery(client, queryOn(client)).join(store))).toEqual(outside);
    expect(await read(fromPg(client).join(store))).toEqual(outside);
  });
});

describe('each tool', () => {
  test.each(['fromKnex', 'fromTypeOrm', 'fromPrisma', 'fromDrizzle'] as const)('%s', async (name) => {
    const next = change({ state: '{"?":"$1"}', resource: '"?"' });
    await onClient(async (client) => {
      await client.query('begin');
      const inside = toolsOn(client)[name].join(store);
      await write(inside, next);
      expect(await resultOf(inside.read(ref))).toMatchObject({
        state: '{"?":"$1"}',
        resource: '"?"',
        version: 1,
      });
      await client.query('commit');
    });
    expect(await resultOf(store.read(ref))).toMatchObject({ resource: '"?"' });
  });

  test('Kysely, on a pool with a pipeline or without', async () => {
    for (const [at, from] of [pool, pipelined].entries()) {
      const db = new Kysely<object>({ dialect: new PostgresDialect({ pool: from }) });
      const own = openPostgresStore({ pool: from, schema: `kysely_${at}` });
      await own.migrate();
      await db.transaction().execute(async (trx) => {
        await write(fromKysely(trx).join(own), change());
        await sql`savepoint mine`.execute(trx);
        await write(fromKysely(trx).join(own), change());
        await sql`rollback to savepoint mine`.execute(trx);
      });
      expect(await feed(own)).toEqual(['a 1']);
      const over = await db.transaction().execute(async (trx) => fromKysely(trx).join(own));
      expect(await tryWrite(over, change())).toMatchObject(misuse('because it is over'));
      expect(await tryWrite(fromKysely(db).join(own), change())).toMatchObject(misuse('is not open'));
    }
  });

  /** The errors in which tools wrap one of PostgreSQL. */
  const wrappers: Readonly<Record<string, (cause: Error & { readonly code?: string }) => unknown>> = {
    Drizzle: (cause) => new Error('Failed query', { cause }),
    Sequelize: (cause) => Object.assign(new Error(cause.message), { parent: cause, original: cause }),
    Objection: (cause) => Object.assign(new Error('DBError'), { nativeError: cause }),
    'a tool whose errors refer to each other': (cause) => {
      const inner = Object.assign(new Error('inner'), { query: 'select', reason: cause });
      return Object.assign(inner, { outer: Object.assign(new Error('outer'), { inner }) });
    },
    TypeORM: (cause) => Object.assign(new Error('QueryFailedError'), { driverError: cause }),
    Prisma: ({ code }) =>
      Object.assign(new Error('Invalid invocation'), {
        code: 'P2010',
        meta: { driverAdapterError: { cause: { originalCode: code, kind: 'postgres' } } },
      }),
  };

  test.each(Object.entries(wrappers))('the errors of %s are those of PostgreSQL', async (_, wrap) => {
    await onClient(async (first) => {
      await first.query('begin');
      await write(fromPg(first).join(store), change());
      await onClient(async (client) => {
        await client.query('begin');
        const query: HostQuery = async (text, values) => {
          try {
            return await client.query(text, [...values]);
          } catch (cause) {
            throw wrap(cause as Error);
          }
        };
        const inside = fromQuery(client, query).join(store);
        expect(await tryWrite(inside, change())).toMatchObject({ left: { _tag: 'Locked' } });
        await write(inside, change({ id: 'b' }));
        await client.query('commit');
        expect(await tryWrite(fromQuery(client, query).join(store), change())).toMatchObject(
          misuse('is not open'),
        );
      });
    });
    expect(await feed()).toEqual(['b 1']);
  });

  test.each([
    ['Kysely', new Error('Transaction is already committed'), misuse('because it is over')],
    [
      'TypeORM',
      new Error('Database connection provided by a query runner was already released'),
      misuse('is over'),
    ],
    ['Prisma', Object.assign(new Error('Transaction already closed'), { code: 'P2028' }), misuse('is over')],
    [
      'Prisma',
      Object.assign(new Error('Cannot reach it'), { code: 'P1001' }),
      { left: { _tag: 'Unavailable' } },
    ],
    ['pg', new Error('Connection terminated unexpectedly'), { left: { _tag: 'Unavailable' } }],
    ['Node', Object.assign(new Error('read'), { code: 'ECONNRESET' }), { left: { _tag: 'Unavailable' } }],
  ])('an error of %s without a code of PostgreSQL: %s', async (_, cause, expected) => {
    const inside = fromQuery({}, () => Promise.reject(cause)).join(store);
    expect(await tryWrite(inside, change())).toMatchObject(expected);
  });
});

test.each<[what: string, pass: () => unknown, sentence: string]>([
  ['fromPg', () => fromPg(undefined as never), 'a client of pg'],
  ['fromKysely', () => fromKysely({} as never), 'a transaction of Kysely'],
  ['fromKnex', () => fromKnex({} as never), 'a transaction of Knex'],
  ['fromTypeOrm', () => fromTypeOrm(null as never), 'an entity manager of TypeORM'],
  ['fromPrisma', () => fromPrisma({} as never), 'an interactive transaction of Prisma'],
  ['fromDrizzle', () => fromDrizzle({} as never, {} as never), 'a transaction of Drizzle'],
  [
    'fromDrizzle',
    () => fromDrizzle({ execute: async () => [] }, undefined as never),
    'the `sql` of drizzle-orm',
  ],
])('%s without what it needs is a Misuse that says so', (name, pass, sentence) => {
  expect(pass).toThrow(
    expect.objectContaining({
      tag: 'Misuse',
      message: expect.stringMatching(new RegExp(`${name} needs ${sentence}`)),
    }),
  );
});

test('a pool instead of a client is a Misuse', async () => {
  await expect(inTransaction(pool as never, async () => {})).rejects.toMatchObject({
    tag: 'Misuse',
    message: expect.stringContaining('await pool.connect()'),
  });
});

test('transactions of many hosts, half of them undone, beside writers of the store leave a feed without gaps', async () => {
  const patient = openPostgresStore({ pool, schema, transactionTimeout: 60_000 });
  const hosts = Array.from({ length: 8 }, async (_, host) => {
    let committed = 0;
    for (let round = 0; round < 8; round += 1) {
      await onClient(async (client) => {
        await client.query('begin');
        const inside = fromQuery(client, queryOn(client)).join(patient);
        const id = `${host}-${round}`;
        await write(inside, change({ id }), change({ id: `shared-${host % 3}` }));
        await client.query('savepoint mine');
        await write(inside, change({ id: `${id}-within` }), change({ id }));
        if (round % 3 === 0) await client.query('rollback to savepoint mine');
        await write(inside, change({ id, resource: round % 4 === 0 ? null : '{}' }));
        const isKept = (host + round) % 2 === 0;
        await client.query(isKept ? 'commit' : 'rollback');
        if (isKept) committed += round % 3 === 0 ? 3 : 5;
      });
    }
    return committed;
  });
  const writers = Array.from({ length: 2 }, async (_, writer) => {
    for (let round = 0; round < 30; round += 1)
      await write(patient, change({ id: `own-${writer}-${round}` }));
    return 30;
  });
  const numbers = await Promise.all([...hosts, ...writers]);
  expect(await feed()).toHaveLength(numbers.reduce((sum, number) => sum + number, 0));
});
