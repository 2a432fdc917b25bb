import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../src/index.ts';
import { createQueryBuilder } from '../../src/schema.ts';
import { firstVersion, isBatched, migrations } from '../../src/tables/migrations.ts';
import { newFile } from '../files.ts';
import { change, ref, resultOf, write } from '../store-helpers.ts';

const schemaOf = (database: Database.Database) =>
  database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all();

/** The schema and the content of the tables in a file, by another handle. */
const inspect = <A>(filename: string, look: (database: Database.Database) => A): A => {
  const database = new Database(filename);
  try {
    return look(database);
  } finally {
    database.close();
  }
};

test('a file is opened again with all that was written, and with the same schema', async () => {
  const filename = newFile();
  const first = openSqliteStore({ filename });
  await write(first, change());
  await first.close();
  const before = inspect(filename, schemaOf);
  const second = openSqliteStore({ filename });
  expect(await resultOf(second.read(ref))).toMatchObject({ id: 'a', version: 1 });
  await second.close();
  expect(inspect(filename, schemaOf)).toEqual(before);
});

test.each([
  [
    'before the schema had a number',
    'DROP TABLE store_versions; CREATE TABLE migrations (version INTEGER PRIMARY KEY)',
  ],
  ['with a lower number', 'UPDATE store_versions SET schema_version = 0'],
])(
  'a file of an older version, %s, is refused with the way to a new file, and not changed by a byte',
  async (_, sql) => {
    const filename = newFile();
    await openSqliteStore({ filename }).close();
    inspect(filename, (database) => database.exec(sql));
    const before = readFileSync(filename);
    expect(() => openSqliteStore({ filename })).toThrow(/older version.*\(--export\).*\(--import\)/s);
    expect(readFileSync(filename).equals(before)).toBe(true);
    expect(readdirSync(dirname(filename))).toEqual(['clinic.db']);
  },
);

test('a change of the tables has another number, so that files of a build before are refused', () => {
  const [createTables] = migrations;
  if (createTables === undefined || isBatched(createTables)) throw new Error('Nothing creates the tables.');
  const statements = createTables(createQueryBuilder(''), (index) => index).map(
    (table) => table.compile().sql,
  );
  expect([firstVersion, hash('sha256', statements.join(';\n'))]).toEqual([
    4,
    '97b625723e4aced95777f5f9c145522791f144c74849c0ed7d84bc6ab57c0aeb',
  ]);
});

test('a file with a newer schema is refused, and not changed', async () => {
  const filename = newFile();
  await openSqliteStore({ filename }).close();
  const newer = inspect(filename, (database) => {
    database.exec('UPDATE store_versions SET schema_version = 99; ALTER TABLE records ADD COLUMN later TEXT');
    return schemaOf(database);
  });
  expect(() => openSqliteStore({ filename })).toThrow(/schema 99.*newer/s);
  inspect(filename, (database) => {
    expect(schemaOf(database)).toEqual(newer);
    expect(database.prepare('SELECT schema_version FROM store_versions').pluck().get()).toBe(99);
  });
});

test('of two builds that open an empty file at once, the second is refused', () => {
  const filename = newFile();
  const database = new Database(filename);
  const { transaction } = database;
  database.transaction = (work) => {
    // The other build gets the lock first.
    inspect(filename, (other) => {
      openSqliteStore({ database: other });
      other.exec('UPDATE store_versions SET schema_version = 99');
    });
    return transaction.call(database, work) as ReturnType<typeof transaction<typeof work>>;
  };
  expect(() => openSqliteStore({ database })).toThrow(/schema 99.*newer/s);
  database.close();
});

test.each([
  'CREATE TABLE records (name TEXT)',
  'CREATE TABLE store_versions (name TEXT)',
  'CREATE TABLE store_versions (schema_version INTEGER); INSERT INTO store_versions VALUES (1)',
  'CREATE TABLE store_versions (schema_version INTEGER); INSERT INTO store_versions VALUES (999)',
])('a file of another application, %s, is refused, and not changed by a byte', (sql) => {
  const filename = newFile();
  inspect(filename, (database) => database.exec(sql));
  const before = readFileSync(filename);
  expect(() => openSqliteStore({ filename })).toThrow();
  expect(readFileSync(filename).equals(before)).toBe(true);
  expect(readdirSync(dirname(filename))).toEqual(['clinic.db']);
});

test('other tables in the database are not changed', async () => {
  const database = new Database(newFile());
  database.exec(
    "CREATE TABLE records (name TEXT); INSERT INTO records VALUES ('theirs'); PRAGMA user_version = 7",
  );
  const store = openSqliteStore({ database, prefix: 'chart_' });
  await write(store, change());
  expect(database.prepare('SELECT * FROM records').all()).toEqual([{ name: 'theirs' }]);
  expect(database.pragma('user_version', { simple: true })).toBe(7);
  const ours = database
    .prepare("SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")
    .pluck()
    .all();
  expect(ours.filter((name) => !String(name).startsWith('chart_'))).toEqual(['records']);
  database.close();
});

test('two stores with different prefixes share a file, but no record', async () => {
  const filename = newFile();
  const one = openSqliteStore({ filename, prefix: 'one_' });
  const two = openSqliteStore({ filename, prefix: 'two_' });
  await write(one, change());
  expect(await resultOf(two.read(ref))).toBeNull();
  await one.close();
  await two.close();
});

test('a record is readable exactly if it has a resource', async () => {
  const database = new Database(newFile());
  await write(openSqliteStore({ database }), change());
  for (const damage of ['readable = 0', 'resource = NULL']) {
    expect(() => database.exec(`UPDATE records SET ${damage}`)).toThrow('CHECK constraint failed');
  }
  database.close();
});

test('a schema that cannot be created leaves nothing behind', () => {
  const database = new Database(newFile());
  database.exec('CREATE TABLE superseded (name TEXT)');
  expect(() => openSqliteStore({ database })).toThrow(/superseded/);
  expect(schemaOf(database)).toHaveLength(1);
  database.close();
});

test('an invalid prefix is refused', () => {
  for (const prefix of ['1st', 'a-b', 'a b', '"; DROP TABLE x; --', 'é', 'a\n']) {
    expect(() => openSqliteStore({ filename: ':memory:', prefix })).toThrow(/prefix/);
  }
});

test('a file that is not a database is refused', () => {
  expect(() => openSqliteStore({ filename: import.meta.filename })).toThrow();
  expect(() => openSqliteStore({ filename: '/no/such/folder/clinic.db' })).toThrow();
});

test('pragmas of a database of the host are not changed, and close leaves it open', async () => {
  const database = new Database(newFile());
  const pragmas = () =>
    ['journal_mode', 'synchronous', 'foreign_keys', 'cache_size', 'busy_timeout'].map((name) =>
      database.pragma(name),
    );
  const before = pragmas();
  const store = openSqliteStore({ database, busyTimeout: 1 });
  await write(store, change());
  await store.close();
  expect(pragmas()).toEqual(before);
  expect(database.prepare('SELECT count(*) FROM records').pluck().get()).toBe(1);
  database.close();
});

test('tables are not created in a transaction of the host, with which they would be undone; if they exist, it may be open', async () => {
  const database = new Database(newFile());
  database.exec('BEGIN');
  expect(() => openSqliteStore({ database })).toThrow('Open the store before beginning one');
  database.exec('ROLLBACK');
  openSqliteStore({ database });
  database.exec('BEGIN');
  const store = openSqliteStore({ database });
  database.exec('COMMIT');
  await write(store, change());
  expect(await resultOf(store.read(ref))).toMatchObject({ version: 1 });
  database.close();
});
