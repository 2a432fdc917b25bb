import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { orThrow } from '@clinical-records/core/store';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { toSqliteDatabase } from '../../src/driver.ts';
import { inTransaction, openSqliteStore, type SqliteHandle } from '../../src/index.ts';
import { createQueryBuilder } from '../../src/schema.ts';
import { type Migration, type MigrationStatements, migrations } from '../../src/tables/migrations.ts';
import { openTables } from '../../src/tables/open-tables.ts';
import { lastVersionOf } from '../../src/tables/schema-version.ts';
import { newFile } from '../files.ts';
import { change, findActive, ref, tryWrite, write } from '../store-helpers.ts';

const lastVersion = lastVersionOf(migrations);

// The steps of a later version of the library.

const addColumn: MigrationStatements = ({ schema }) => [
  schema.alterTable('records').addColumn('later', 'text'),
];

const addIndex: Migration = ({ schema }, nameIndex) => [
  schema.createIndex(nameIndex('records_by_version')).on('records').columns(['type', 'version']),
];

const fails: MigrationStatements = (db) => [{ compile: () => sql`this is not SQL`.compile(db) }];

/** Two records a batch get a text in the column. `before` is called with the place before each batch. */
const fillColumn = (before: (after: number) => void = () => {}): Migration => ({
  first: addColumn,
  changeBatch: (database, db, after) => {
    before(after);
    const records = sql.table('records');
    const next = sql`select position from ${records} where position > ? order by position limit 2`.compile(
      db,
    );
    const fill = sql`update ${records} set later = coalesce(later, '') || 'x' where position = ?`.compile(db);
    const rows = database.prepare(next.sql).all(after) as readonly { readonly position: number }[];
    for (const { position } of rows) database.prepare(fill.sql).run(position);
    return rows.at(-1)?.position ?? null;
  },
});

const migrateWith = (
  handle: SqliteHandle,
  later: readonly Migration[],
  { prefix = '', backupTo }: { readonly prefix?: string; readonly backupTo?: string } = {},
): void =>
  openTables(
    { database: toSqliteDatabase(handle), db: createQueryBuilder(prefix), prefix },
    { backupTo, steps: [...migrations, ...later] },
  );

/** A file with the records of some ids. */
const newClinic = async (...ids: readonly string[]): Promise<string> => {
  const filename = newFile();
  const store = openSqliteStore({ filename });
  for (const id of ids) await write(store, change({ id }));
  await store.close();
  return filename;
};

const valuesOf = (database: Database.Database, query: string) => database.prepare(query).pluck().all();
const versionOf = (database: Database.Database) =>
  valuesOf(database, 'SELECT schema_version FROM store_versions');
const schemaOf = (database: Database.Database) =>
  valuesOf(database, 'SELECT sql FROM sqlite_schema ORDER BY name');

const lastPlaces = (database: Database.Database) => valuesOf(database, 'SELECT after FROM migration_place');

const drivers = [
  ['better-sqlite3', (filename: string) => new Database(filename)],
  ['node:sqlite', (filename: string) => new DatabaseSync(filename)],
] as const;

describe('a newer version migrates a file', () => {
  test.each(drivers)('with %s, each step with its version, and keeps what was written', async (_, open) => {
    const filename = await newClinic('a', 'b', 'c');
    const handle = open(filename);
    migrateWith(handle, [addIndex, fillColumn()]);
    handle.close();
    const database = new Database(filename);
    expect(versionOf(database)).toEqual([lastVersion + 2]);
    expect(valuesOf(database, 'SELECT id || later FROM records')).toEqual(['ax', 'bx', 'cx']);
    expect(
      valuesOf(
        database,
        "SELECT name FROM sqlite_schema WHERE name IN ('migration_place', 'records_by_version')",
      ),
    ).toEqual(['records_by_version']);
    database.close();
  });

  test('with a prefix, beside tables of the host', async () => {
    const database = new Database(':memory:');
    await write(openSqliteStore({ database, prefix: 'chart_' }), change());
    migrateWith(database, [addIndex, fillColumn()], { prefix: 'chart_' });
    expect(valuesOf(database, 'SELECT schema_version FROM chart_store_versions')).toEqual([lastVersion + 2]);
    expect(valuesOf(database, 'SELECT later FROM chart_records')).toEqual(['x']);
    expect(
      valuesOf(database, "SELECT name FROM sqlite_schema WHERE name LIKE '%records_by_version'"),
    ).toEqual(['chart_records_by_version']);
  });

  test('and a new file has the same tables as a migrated one', () => {
    const [migrated, created] = [new Database(':memory:'), new Database(':memory:')];
    openSqliteStore({ database: migrated });
    for (const database of [migrated, created]) migrateWith(database, [addIndex, fillColumn()]);
    expect(schemaOf(created)).toEqual(schemaOf(migrated));
    expect(versionOf(created)).toEqual(versionOf(migrated));
  });

  test('and a step that fails changes nothing', async () => {
    const database = new Database(await newClinic('a'));
    const before = schemaOf(database);
    const both: Migration = (...context) => [...addColumn(...context), ...fails(...context)];
    expect(() => migrateWith(database, [both])).toThrow('syntax error');
    expect([versionOf(database), schemaOf(database)]).toEqual([[lastVersion], before]);
    database.close();
  });

  test('and not in a transaction of the host, with which the steps would be undone', async () => {
    const database = new Database(await newClinic('a'));
    database.exec('BEGIN');
    expect(() => migrateWith(database, [addIndex])).toThrow('Open the store before beginning one');
    database.exec('ROLLBACK');
    expect(versionOf(database)).toEqual([lastVersion]);
    database.close();
  });
});

describe('a long step', () => {
  /** Fails before the batch after a place, as if the process ended. */
  const endsAt = (place: number) =>
    fillColumn((after) => {
      if (after === place) throw new Error('The process ended.');
    });

  test('that is interrupted is continued after its last batch, and changes each row once', async () => {
    const database = new Database(await newClinic('a', 'b', 'c', 'd', 'e'));
    expect(() => migrateWith(database, [endsAt(4)])).toThrow('The process ended.');
    expect(lastPlaces(database)).toEqual([4]);
    const places: number[] = [];
    migrateWith(database, [fillColumn((after) => places.push(after)), addIndex]);
    expect(places).toEqual([4, 5]);
    expect(valuesOf(database, 'SELECT id || later FROM records')).toEqual(['ax', 'bx', 'cx', 'dx', 'ex']);
    expect(versionOf(database)).toEqual([lastVersion + 2]);
    database.close();
  });

  test('keeps older versions out from its first transaction on', async () => {
    const filename = await newClinic('a', 'b', 'c');
    const older = openSqliteStore({ filename });
    const database = new Database(filename);
    expect(() => migrateWith(database, [endsAt(2)])).toThrow('The process ended.');
    expect(await tryWrite(older, change({ id: 'd' }))).toMatchObject({ left: { _tag: 'Unavailable' } });
    expect(() => openSqliteStore({ filename })).toThrow(`schema ${lastVersion + 1}`);
    await older.close();
    database.close();
  });

  test('may be completed by another process between two batches', async () => {
    const filename = await newClinic('a', 'b', 'c');
    const [one, other] = [new Database(filename), new Database(filename)];
    const { transaction } = one;
    const transactions = vi.fn();
    one.transaction = ((work: (argument: null) => unknown) => {
      const run = transaction.call(one, work as never);
      const immediate = (argument: null) => {
        transactions();
        // After the first transaction of the long step and a batch.
        if (transactions.mock.calls.length === 4) migrateWith(other, [fillColumn()]);
        return run.immediate(argument as never);
      };
      return Object.assign(() => {}, { immediate });
    }) as never;
    migrateWith(one, [fillColumn()]);
    expect(transactions).toHaveBeenCalledTimes(4);
    expect(valuesOf(one, 'SELECT id || later FROM records')).toEqual(['ax', 'bx', 'cx']);
    for (const database of [one, other]) database.close();
  });

  test('whose batch finds no later place ends with an error, and not never', async () => {
    const database = new Database(await newClinic('a'));
    const stuck: Migration = { first: () => [], changeBatch: () => 0 };
    expect(() => migrateWith(database, [stuck])).toThrow('A batch of the migration has changed nothing.');
    database.close();
  });
});

describe('a process of an older version that has the file open', () => {
  const sentence =
    `The tables have schema ${lastVersion + 1}, but this process uses schema ${lastVersion}: another version of ` +
    '@clinical-records/store-sqlite has migrated them. Restart this process with that version.';
  const refused = { left: { _tag: 'Unavailable', message: sentence } };

  test('cannot write while a step runs', async () => {
    const filename = await newClinic('a', 'b');
    const [database, other] = [new Database(filename), new Database(filename, { timeout: 0 })];
    const tryBegin = () => expect(() => other.exec('BEGIN IMMEDIATE')).toThrow('locked');
    migrateWith(database, [fillColumn(tryBegin)]);
    other.exec('BEGIN IMMEDIATE; ROLLBACK');
    for (const handle of [database, other]) handle.close();
    expect.assertions(2);
  });

  test('is refused its next write, with the reason, and has lost nothing', async () => {
    const filename = await newClinic();
    const handle = new Database(filename);
    const [own, host] = [openSqliteStore({ filename }), openSqliteStore({ database: handle })];
    for (const [index, store] of [own, host].entries()) await write(store, change({ id: `${index}` }));
    const database = new Database(filename);
    migrateWith(database, [addIndex]);
    for (const store of [own, host]) {
      expect(await tryWrite(store, change({ id: 'late' }), change({ id: 'later' }))).toMatchObject(refused);
      expect(await store.commitAll([{ changes: [change()], versionChecks: [] }], [])).toMatchObject(refused);
      expect(await store.read(ref)).toMatchObject(refused);
    }
    await inTransaction(handle, async (tx) => {
      const joined = tx.join(host);
      expect(await tryWrite(joined, change({ id: 'late' }))).toMatchObject(refused);
    });
    expect(valuesOf(database, 'SELECT id FROM records')).toEqual(['0', '1']);
    await own.close();
    for (const each of [database, handle]) each.close();
  });

  test('reads for one more second at most', async () => {
    const filename = await newClinic('a');
    const store = openSqliteStore({ filename });
    const database = new Database(filename);
    migrateWith(database, [addIndex]);
    const start = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => start + 1100);
    expect(await store.read(ref)).toMatchObject(refused);
    vi.restoreAllMocks();
    await expect(orThrow(store.readResource(ref))).rejects.toMatchObject({
      issues: [{ rule: 'store-unavailable' }],
    });
    await store.close();
    database.close();
  });
});

describe('with `backupTo`, the file is copied before it is migrated', () => {
  const copyOf = (filename: string) => `${filename}.backup`;

  test.each(drivers)('with %s, as the older version can use it', async (_, open) => {
    const filename = await newClinic('a', 'b', 'c');
    const handle = open(filename);
    migrateWith(handle, [fillColumn(), addIndex], { backupTo: copyOf(filename) });
    handle.close();
    expect(existsSync(`${copyOf(filename)}.partial`)).toBe(false);
    const store = openSqliteStore({ filename: copyOf(filename) });
    expect(await findActive(store)).toEqual(['a', 'b', 'c']);
    await write(store, change());
    await store.close();
  });

  test('with everything that was written, because nobody writes between the copy and the step', async () => {
    const filename = await newClinic('a');
    const [database, other] = [new Database(filename), new Database(filename, { timeout: 0 })];
    const look: Migration = () => {
      expect(existsSync(copyOf(filename))).toBe(true);
      expect(() => other.exec('BEGIN IMMEDIATE')).toThrow('locked');
      return [];
    };
    migrateWith(database, [look], { backupTo: copyOf(filename) });
    for (const handle of [database, other]) handle.close();
  });

  test('once: a step that fails leaves the copy, which the next attempt keeps', async () => {
    const filename = await newClinic('a');
    const database = new Database(filename);
    const backupTo = copyOf(filename);
    expect(() => migrateWith(database, [fails], { backupTo })).toThrow('syntax error');
    const before = readFileSync(backupTo);
    expect(() => migrateWith(database, [addColumn, fails], { backupTo })).toThrow('syntax error');
    expect(versionOf(database)).toEqual([lastVersion + 1]);
    migrateWith(database, [addColumn, addIndex], { backupTo });
    expect(readFileSync(backupTo).equals(before)).toBe(true);
    database.close();
  });

  test('what an interrupted copy has left is replaced', async () => {
    const filename = await newClinic('a');
    writeFileSync(`${copyOf(filename)}.partial`, 'half of a copy');
    const database = new Database(filename);
    migrateWith(database, [addIndex], { backupTo: copyOf(filename) });
    expect(versionOf(database)).toEqual([lastVersion + 1]);
    database.close();
  });

  test('and another file of that name is not overwritten: the migration is refused', async () => {
    const filename = await newClinic('a');
    const backupTo = copyOf(filename);
    const database = new Database(filename);
    const older = await newClinic('b');
    for (const content of [readFileSync(older), Buffer.from('a letter')]) {
      writeFileSync(backupTo, content);
      expect(() => migrateWith(database, [addIndex], { backupTo })).toThrow('which exists and is not a copy');
      expect(readFileSync(backupTo).equals(content)).toBe(true);
    }
    expect(versionOf(database)).toEqual([lastVersion]);
    rmSync(backupTo);
    database.close();
  });

  test('but not if there is nothing to migrate', async () => {
    const filename = await newClinic('a');
    await openSqliteStore({ filename, backupTo: copyOf(filename) }).close();
    const created = newFile();
    await openSqliteStore({ filename: created, backupTo: copyOf(created) }).close();
    expect([filename, created].filter((name) => existsSync(copyOf(name)))).toEqual([]);
  });

  test('and memory cannot be copied', () => {
    const database = new Database(':memory:');
    openSqliteStore({ database });
    expect(() => migrateWith(database, [addIndex], { backupTo: 'copy.db' })).toThrow(
      'backupTo needs a database in a file',
    );
    expect(versionOf(database)).toEqual([lastVersion]);
  });

  test.each(['', ' ', 7])('to %j is refused', (backupTo) => {
    expect(() => openSqliteStore({ filename: ':memory:', backupTo: backupTo as string })).toThrow(
      'backupTo must be the name of a file that does not exist.',
    );
  });
});
