import { erasedState, exactVersion } from '@clinical-records/core/store';
import { left } from 'fp-ts/lib/Either.js';
import type pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import {
  auditTableSql,
  createTenant,
  inTransaction,
  migrationSql,
  openPostgresAuditStore,
  openPostgresStore,
  primaryOf,
  removeTenant,
} from '../../src/index.ts';
import { lastVersionOf } from '../../src/tables/migrate.ts';
import { firstVersion, migrations } from '../../src/tables/migrations.ts';
import { wrapPool } from '../host/wrap-pool.ts';
import { change, ref, resultOf, write } from '../store-helpers.ts';
import { newPool, newUser, openPool } from '../tenants/databases.ts';

const pool = await newPool({ max: 8 });

/** Every table, column, index, function and trigger of a schema. */
const tablesOf = async (schema: string) => {
  const columns = `select table_name, column_name, data_type from information_schema.columns
    where table_schema = $1 order by table_name, ordinal_position`;
  const indexes = 'select indexname, indexdef from pg_indexes where schemaname = $1 order by indexname';
  const functions = `select proname, prosrc, proconfig, proacl is not null as "isRestricted" from pg_proc
    where pronamespace = $1::text::regnamespace order by proname`;
  const triggers = `select tgname, pg_get_triggerdef(pg_trigger.oid) as definition
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = $1::text::regnamespace and not tgisinternal order by tgname`;
  const found = [];
  for (const text of [columns, indexes, functions, triggers])
    found.push((await pool.query(text, [schema])).rows);
  return found;
};

const refused = (message: string) => left({ _tag: 'Misuse', message });

const lastVersion = lastVersionOf(migrations);

test('eight stores that open an empty schema at once migrate it once', async () => {
  const stores = Array.from({ length: 8 }, () => openPostgresStore({ pool, schema: 'at_once' }));
  await Promise.all(stores.map((store, at) => write(store, change({ id: `${at}` }))));
  expect((await pool.query('select version from at_once.migrations')).rows).toEqual([
    { version: firstVersion },
  ]);
  expect((await pool.query('select position::integer from at_once.head')).rows).toEqual([{ position: 8 }]);
});

test('an open store does not create tables again that are gone, and uses them once they are back', async () => {
  const store = openPostgresStore({ pool, schema: 'moved' });
  await write(store, change());
  await pool.query('alter schema moved rename to elsewhere');
  const gone = { left: { _tag: 'Unavailable', message: 'The PostgreSQL database is unavailable (42P01).' } };
  expect(await store.read(ref)).toMatchObject(gone);
  expect(await store.commit({ changes: [change()], versionChecks: [] })).toMatchObject(gone);
  await pool.query('alter schema elsewhere rename to moved');
  expect(await write(store, change())).toEqual([2]);
});

test('a schema that has another name goes on with transactions of the host', async () => {
  await write(openPostgresStore({ pool, schema: 'early' }), change());
  await pool.query('alter schema early rename to "late \'name\'"; create schema early');
  const store = openPostgresStore({ pool, schema: "late 'name'" });
  await store.migrate();
  const client = await pool.connect();
  await inTransaction(client, (tx) => write(tx.join(store), change()));
  client.release();
  expect((await resultOf(store.changesSince({ limit: 10 }))).map(({ position }) => position)).toEqual([
    '1',
    '2',
  ]);
});

test.each(['LATIN1', 'SQL_ASCII'])(
  'a database with the encoding %s, which cannot store every text, is refused, and not changed',
  async (encoding) => {
    const database = `encoding_${encoding.toLowerCase()}`;
    await pool.query(
      `create database ${database} encoding '${encoding}' lc_collate 'C' lc_ctype 'C' template template0`,
    );
    onTestFinished(async () => {
      await pool.query(`drop database ${database} with (force)`);
    });
    const url = new URL(inject('postgresUrl'));
    url.pathname = database;
    const other = openPool(url.href);
    const store = openPostgresStore({ pool: other });
    await expect(store.migrate()).rejects.toMatchObject({
      tag: 'Misuse',
      message: expect.stringContaining(
        `The database has the encoding ${encoding}, which cannot store every text. Create one with ENCODING 'UTF8'.`,
      ),
    });
    expect(await store.read(ref)).toMatchObject({ left: { _tag: 'Misuse' } });
    expect((await other.query(`select from pg_namespace where nspname = 'clinical_records'`)).rows).toEqual(
      [],
    );
  },
);

test('a newer schema is refused, and not changed', async () => {
  await write(openPostgresStore({ pool, schema: 'newer' }), change());
  await pool.query(
    'insert into newer.migrations (version) values (99); alter table newer.records add later text',
  );
  const before = await tablesOf('newer');
  expect(await openPostgresStore({ pool, schema: 'newer' }).read(ref)).toEqual(
    refused(
      `The tables have schema 99, but this version of @clinical-records/store-postgres supports schemas up to ${lastVersion}. ` +
        'Use the version that wrote them, or a newer one.',
    ),
  );
  expect(await tablesOf('newer')).toEqual(before);
});

test.each([
  [
    firstVersion - 1,
    'The tables are from an older version of @clinical-records/store-postgres, which this version cannot read. ' +
      'Export the records with the version that wrote them (--export), and import them into a new schema with this one (--import).',
  ],
  [
    lastVersion + 1,
    `The tables have schema ${lastVersion + 1}, but this version of @clinical-records/store-postgres supports schemas up to ${lastVersion}. ` +
      'Use the version that wrote them, or a newer one.',
  ],
])(
  'of two builds that open an empty schema at once, the second is refused: here by tables of schema %i',
  async (version, message) => {
    const schema = `first_with_${version}`;
    const store = openPostgresStore({
      schema,
      pool: wrapPool(pool, async (client, query) => {
        // The other build gets the lock first.
        if (query.text.includes('pg_advisory_xact_lock'))
          await pool.query(
            `create schema ${schema}; create table ${schema}.migrations (version integer primary key);
            create table ${schema}.tenants (); insert into ${schema}.migrations values (${version})`,
          );
        return client.query(query);
      }),
    });
    expect(await store.read(ref)).toEqual(refused(message));
    expect((await pool.query(`select version from ${schema}.migrations`)).rows).toEqual([{ version }]);
  },
);

test.each([0, 4])(
  'the SQL of migrations makes the tables of a store with %i partitions',
  async (partitions) => {
    const schemas = [`by_hand_${partitions}`, `by_store_${partitions}`] as const;
    await pool.query(migrationSql({ schema: schemas[0], partitions }));
    await write(openPostgresStore({ pool, schema: schemas[1], partitions }), change());
    const renamed = JSON.stringify(await tablesOf(schemas[1])).replaceAll(schemas[1], schemas[0]);
    expect(JSON.stringify(await tablesOf(schemas[0]))).toBe(renamed);
  },
);

test('each table and each of its columns has a comment in the database', async () => {
  await openPostgresStore({ pool, schema: 'explained' }).migrate();
  const { rows } = await pool.query(
    `select relname, attname from pg_class
      join pg_attribute on attrelid = pg_class.oid and attnum >= 0 and not attisdropped
      where relnamespace = 'explained'::regnamespace and relkind = 'r' and col_description(pg_class.oid, attnum) is null
    union all
    select relname, null from pg_class
      where relnamespace = 'explained'::regnamespace and relkind = 'r' and obj_description(oid) is null`,
  );
  expect(rows).toEqual([]);
});

test.each([
  ['two versions at one position', 'insert into {} select * from {} where position = 1', 'versions_pkey'],
  [
    'two versions of a record with one number',
    `insert into {} (tenant, position, record, version, committed, patient_id, type, id, digest, state)
      select tenant, 99, record, version, committed, patient_id, type, id, digest, state from {} where version = 2`,
    'versions_by_record',
  ],
  [
    'a resource that is not JSON',
    `update {} set resource = '{' where position = 1`,
    'invalid input syntax for type json',
  ],
])('tables refuse %s', async (_, statement, reason) => {
  const store = openPostgresStore({ pool, schema: 'strict' });
  await write(store, change());
  await write(store, change());
  await expect(pool.query(statement.replaceAll('{}', 'strict.versions'))).rejects.toThrow(reason);
});

test('a resource that is not JSON is refused where it is read, too', async () => {
  await write(openPostgresStore({ pool, schema: 'read_strictly' }), change());
  await expect(pool.query("update read_strictly.searchable set resource = ''")).rejects.toThrow('json');
});

test('each statement says which call it belongs to', async () => {
  const texts: string[] = [];
  const watched = wrapPool(pool, (client, query) => {
    texts.push(query.text);
    return client.query(query);
  });
  const store = openPostgresStore({ pool: watched, schema: 'named' });
  await store.migrate();
  const calls: readonly (readonly [call: string, work: () => Promise<unknown>])[] = [
    ['commit', () => write(store, change())],
    ['read', () => store.read(ref)],
    ['readResource', () => store.readResource(ref)],
    ['readVersion', () => store.readVersion({ ...ref, version: 1 })],
    ['history', () => store.history({ ...ref, limit: 1 })],
    ['changes', () => store.changesSince({ limit: 1 })],
    ['feedEnd', () => store.feedEnd()],
    ['scan', () => store.scan({ limit: 1 })],
  ];
  for (const [call, work] of calls) {
    texts.length = 0;
    await work();
    const comments = texts.flatMap((text) => /^\/\* clinical-records: (\w+) \*\/ \w/.exec(text)?.[1] ?? []);
    expect(new Set(comments)).toEqual(new Set([call]));
  }
});

const codeEntry = { kind: 'token', parameter: 'code', system: '', code: 'x' } as const;

const access = { at: 1, by: 'Practitioner/ada', patientId: 'amy', access: '{}' };

const poolOfNewUser = async (name: string, grants: (user: string) => string): Promise<pg.Pool> => {
  const limited = await newUser(pool, name, grants);
  await expect(limited.query('create schema mine')).rejects.toThrow('permission denied for database');
  return limited;
};

test('a user who has only the rights of the SQL of migrations does all that the store can do', async () => {
  const schema = 'By "owner"';
  const limited = await poolOfNewUser('writer', (user) => migrationSql({ schema, user }));
  const store = openPostgresStore({ pool: limited, schema });
  const index = [codeEntry];
  await write(store, change({ index }));
  await write(store, change({ state: '{"n":2}' }));
  const client = await limited.connect();
  try {
    const changes = [change({ state: '{"n":3}' }), change({ id: 'b' })];
    await inTransaction(client, (tx) => write(tx.join(store), ...changes));
  } finally {
    client.release();
  }
  expect(await resultOf(store.read(ref))).toMatchObject({ version: 3, state: '{"n":3}' });
  const reindexing = {
    records: [{ ...ref, expects: exactVersion(3), index }],
    parameters: { 'Goal.code': 'x' },
  };
  await resultOf(store.commit({ changes: [], versionChecks: [], reindexing }));
  const conditions = [{ on: 'token', parameter: 'code', anyOf: [{ system: '', code: 'x' }] }] as const;
  const query = { type: ref.type, conditions, start: { offset: 0 }, count: 10, withTotal: true };
  expect(await resultOf(store.search(query))).toMatchObject({ total: 1 });
  const priorStates = [1, 2, 3].map(() => erasedState('0'.repeat(64)));
  await write(store, change({ resource: null, expects: exactVersion(3), priorStates }));
  expect(await resultOf(store.scan({ limit: 10 }))).toHaveLength(2);
  expect(await resultOf(store.history({ ...ref, limit: 10 }))).toHaveLength(4);
  expect(await resultOf(store.changesSince({ limit: 10 }))).toHaveLength(5);
  await store.close();
});

test('a user of an application adds versions, but neither changes nor deletes any', async () => {
  const schema = 'guarded';
  const limited = await poolOfNewUser('application', (user) => migrationSql({ schema, user }));
  const store = openPostgresStore({ pool: limited, schema });
  await write(store, change());
  await write(store, change({ state: '{"n":2}' }));
  for (const statement of [
    `update guarded.versions set state = '{}'`,
    'delete from guarded.versions',
    'truncate guarded.versions',
    'delete from guarded.head',
    'delete from guarded.terms',
    'alter table guarded.versions disable trigger all',
    'select guarded.place(0, 1)',
    `insert into guarded.tenants values (9, 'mine')`,
    'insert into guarded.migrations values (99)',
  ])
    await expect(limited.query(statement), statement).rejects.toMatchObject({
      code: expect.stringMatching(/^42(501|809)$/),
    });
  // The function of an erasure does nothing else.
  const rewrite = [0, ['Goal'], ['a'], [1], ['{"n":"rewritten"}']];
  await limited.query('select guarded.erase($1, $2, $3, $4, $5)', rewrite);
  expect(await resultOf(store.readVersion({ ...ref, version: 1 }))).toMatchObject({ state: '{}' });
  const tenant = { pool: limited, schema, tenant: 'mine' };
  await expect(createTenant(tenant)).rejects.toThrow('does not own the tables');
  await createTenant({ ...tenant, pool });
  expect(await write(openPostgresStore(tenant), change())).toEqual([1]);
  await expect(removeTenant(tenant)).rejects.toThrow('does not own the tables');
  await store.close();
});

test('a reader reads all that a store shows, and writes nothing', async () => {
  const schema = 'read_only';
  const limited = await poolOfNewUser('reader', (user) => migrationSql({ schema, reader: user }));
  await write(openPostgresStore({ pool, schema }), change({ index: [codeEntry] }));
  const store = openPostgresStore({ pool: limited, schema });
  expect(await resultOf(store.read(ref))).toMatchObject({ version: 1 });
  expect(await resultOf(store.readResource(ref))).toMatchObject({ version: 1 });
  const conditions = [{ on: 'token', parameter: 'code', anyOf: [{ system: '', code: 'x' }] }] as const;
  const query = { type: ref.type, conditions, start: { offset: 0 }, count: 10, withTotal: true };
  expect(await resultOf(store.search(query))).toMatchObject({ total: 1 });
  expect(await resultOf(store.history({ ...ref, limit: 1 }))).toHaveLength(1);
  expect(await resultOf(store.changesSince({ limit: 1 }))).toHaveLength(1);
  expect(await resultOf(store.scan({ limit: 1 }))).toHaveLength(1);
  expect(await store.commit({ changes: [change({ id: 'b' })], versionChecks: [] })).toMatchObject({
    left: { _tag: 'Unavailable', message: 'The PostgreSQL database is unavailable (42501).' },
  });
  await store.close();
});

test('one who has no rights gets none of them', async () => {
  await pool.query(migrationSql({ schema: 'of_others' }));
  const limited = await poolOfNewUser('stranger', () => '');
  expect(await openPostgresStore({ pool: limited, schema: 'of_others' }).read(ref)).toMatchObject({
    left: { _tag: 'Unavailable', message: 'The PostgreSQL database is unavailable (42501).' },
  });
});

test('a user who may not create schemas gets the tables in a schema that was made by hand', async () => {
  const limited = await poolOfNewUser(
    'owner',
    (user) => `create schema given; grant all on schema given to ${user}`,
  );
  const store = openPostgresStore({ pool: limited, schema: 'given' });
  await write(store, change());
  expect(await resultOf(store.read(ref))).toMatchObject({ version: 1 });
  await store.close();
});

test('a user who may not create anything writes an audit log into a table that was made by hand', async () => {
  await pool.query(auditTableSql({ schema: 'audit_by_owner' }));
  const limited = await poolOfNewUser(
    'auditor',
    (user) => `grant usage on schema audit_by_owner to ${user};
      grant select, insert on all tables in schema audit_by_owner to ${user}`,
  );
  const audit = openPostgresAuditStore({ pool: limited, schema: 'audit_by_owner' });
  await resultOf(audit.append([access]));
  expect(await resultOf(audit.scan({ after: 0, limit: 10 }))).toHaveLength(1);
  expect(await audit.removeUntil(1)).toMatchObject({ left: { _tag: 'Unavailable' } });
  const { rows } = await limited.query('select current_user as name');
  const user = `"${(rows[0] as { readonly name: string }).name}"`;
  await pool.query(`grant delete on audit_by_owner.audit_events, audit_by_owner.audit_start to ${user}`);
  await resultOf(audit.removeUntil(1));
  expect(await resultOf(audit.scan({ after: 0, limit: 10 }))).toEqual([]);
});

test('a user who may not create schemas gets the table of an audit log in a schema that was made by hand', async () => {
  const limited = await poolOfNewUser(
    'audit_owner',
    (user) => `create schema audit_given; grant all on schema audit_given to ${user}`,
  );
  const audit = openPostgresAuditStore({ pool: limited, schema: 'audit_given' });
  await resultOf(audit.append([access]));
  expect(await resultOf(audit.scan({ after: 0, limit: 10 }))).toHaveLength(1);
});

test('a store opens tables with any number of partitions, unless it names another', async () => {
  await write(openPostgresStore({ pool, schema: 'divided', partitions: 4 }), change());
  await write(openPostgresStore({ pool, schema: 'whole' }), change());
  const read = (schema: string, partitions?: number) =>
    openPostgresStore({ pool, schema, ...(partitions === undefined ? {} : { partitions }) }).read(ref);
  const rest = 'Their number cannot be changed: leave `partitions` out, or copy the records to a new schema.';
  for (const [schema, partitions] of [
    ['divided', 4],
    ['divided', undefined],
    ['whole', 0],
  ] as const)
    expect(await read(schema, partitions)).toMatchObject({ right: { id: 'a' } });
  expect(await read('divided', 8)).toEqual(refused(`The tables have 4 partitions, not 8. ${rest}`));
  expect(await read('divided', 0)).toEqual(refused(`The tables have 4 partitions, not 0. ${rest}`));
  expect(await read('whole', 4)).toEqual(refused(`The tables have 0 partitions, not 4. ${rest}`));
});

test.each(['North Clinic', `the "old" clinic's`, 'é'.repeat(31)])(
  'a schema can be named %s',
  async (schema) => {
    await write(openPostgresStore({ pool, schema }), change());
    // Another store finds the tables that exist.
    await write(openPostgresStore({ pool, schema }), change());
    expect(await resultOf(openPostgresStore({ pool, schema }).read(ref))).toMatchObject({ version: 2 });
  },
);

test.each([undefined, 'postgres://db/charts', { connectionString: 'postgres://db/charts' }])(
  'a store cannot be opened on %j',
  (wrong) => {
    const options = { pool: wrong as never };
    expect(() => openPostgresStore(options)).toThrow('pool is required: a Pool of pg.');
    expect(() => openPostgresAuditStore(options)).toThrow('pool is required: a Pool of pg.');
  },
);

test.each(['', 'a\u0000', 'é'.repeat(32)])('a schema cannot be named %j', (schema) => {
  const sentence = '`schema` must be a name of PostgreSQL: 1 to 63 bytes, without U+0000.';
  expect(() => openPostgresStore({ pool, schema })).toThrow(sentence);
  expect(() => migrationSql({ schema })).toThrow(sentence);
});

test.each([Number.NaN, 0, '5', 2 ** 31] as readonly number[])(
  'a time of %o is refused, because a timer would end at once',
  async (time) => {
    const options = { transactionTimeout: time };
    const sentence = (name: string) => `${name} must be a number from 1 to 2147483647.`;
    expect(() => openPostgresStore({ pool, ...options })).toThrow(sentence('transactionTimeout'));
    expect(() => openPostgresAuditStore({ pool, ...options })).toThrow(sentence('transactionTimeout'));
    expect(() => primaryOf([pool], { timeout: time })).toThrow(sentence('timeout'));
    const client = await pool.connect();
    const transaction = inTransaction(client, async () => {}, options);
    await expect(transaction).rejects.toThrow(sentence('transactionTimeout'));
    client.release();
  },
);

test.each([-1, 1.5, 1025, Number.NaN])('tables cannot have %d partitions', (partitions) => {
  const sentence = '`partitions` must be an integer from 0 to 1024.';
  expect(() => openPostgresStore({ pool, partitions })).toThrow(sentence);
});
