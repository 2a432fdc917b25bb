import { DatabaseSync } from 'node:sqlite';
import {
  fromKnex,
  fromKysely,
  fromSqlite,
  fromTypeOrm,
  openSqliteStore,
} from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import createKnex from 'knex';
import { Kysely, SqliteDialect } from 'kysely';
import { DataSource } from 'typeorm';
import * as onDrizzle from '../../drizzle-sqlite.ts';
import * as onTypeOrm from '../../typeorm.ts';
import { toEncounter, type Visit } from '../../visit.ts';
import { bookBy, knexOn, kyselyOn, typeOrmOn } from './either-database.ts';
import { createRecords, type Tool } from './tool.ts';

type Handle = Database.Database | DatabaseSync;

const createVisits = 'CREATE TABLE visits (id TEXT PRIMARY KEY, patient TEXT NOT NULL)';

/** The part of a tool on SQLite that does not depend on the tool. */
const onHandle = (database: Handle) => {
  database.exec(createVisits);
  const store = openSqliteStore({ database, prefix: 'clinical_' });
  return {
    store,
    visits: async () =>
      (database.prepare('SELECT id FROM visits ORDER BY id').all() as readonly Visit[]).map(({ id }) => id),
    close: () => store.close(),
  };
};

const kysely = async (): Promise<Tool> => {
  const database = new Database(':memory:');
  return kyselyOn(onHandle(database), new Kysely({ dialect: new SqliteDialect({ database }) }), fromKysely);
};

const knexTool = async (): Promise<Tool> => {
  const connection = { filename: ':memory:' };
  const knex = createKnex({ client: 'better-sqlite3', connection, useNullAsDefault: true });
  const database: Database.Database = await knex.client.acquireConnection();
  await knex.client.releaseConnection(database);
  const sqlite = onHandle(database);
  const close = async () => {
    await sqlite.close();
    await knex.destroy();
  };
  return knexOn({ ...sqlite, close }, knex, fromKnex);
};

const typeOrm = async (): Promise<Tool> => {
  const dataSource = new DataSource({
    type: 'better-sqlite3',
    database: ':memory:',
    entities: [onTypeOrm.visits],
  });
  await dataSource.initialize();
  // The type of TypeORM's driver does not declare the handle.
  const { databaseConnection } = dataSource.driver as unknown as {
    readonly databaseConnection: Database.Database;
  };
  const sqlite = onHandle(databaseConnection);
  const close = async () => {
    await sqlite.close();
    await dataSource.destroy();
  };
  return typeOrmOn({ ...sqlite, close }, dataSource, fromTypeOrm);
};

/** A driver itself. */
const driver = (open: () => Handle) => async (): Promise<Tool> => {
  const database = open();
  const sqlite = onHandle(database);
  const records = createRecords(sqlite.store, {
    Encounter: (id) => {
      const visit = database.prepare('SELECT * FROM visits WHERE id = ?').get(id) as Visit | undefined;
      return visit && toEncounter(visit);
    },
  });
  const transaction: Tool['transaction'] = async (work) => {
    database.exec('BEGIN');
    try {
      await work({
        joined: fromSqlite(database),
        insert: async ({ id, patient }) =>
          database.prepare('INSERT INTO visits VALUES (?, ?)').run(id, patient),
        undo: async (inner) => {
          database.exec('SAVEPOINT mine');
          await inner();
          database.exec('ROLLBACK TO mine');
        },
      });
      database.exec('COMMIT');
    } catch (cause) {
      database.exec('ROLLBACK');
      throw cause;
    }
  };
  return { ...sqlite, records, transaction, bookVisit: bookBy({ records, transaction }) };
};

/** Each tool on SQLite whose transaction can be joined, by its name. */
export const toolsOnSqlite: Readonly<Record<string, () => Promise<Tool>>> = {
  'better-sqlite3': driver(() => new Database(':memory:')),
  'node:sqlite': driver(() => new DatabaseSync(':memory:')),
  Kysely: kysely,
  Knex: knexTool,
  TypeORM: typeOrm,
};

/** Drizzle, whose transaction is synchronous. */
export const openDrizzle = () => {
  const database = new Database(':memory:');
  const sqlite = onHandle(database);
  const db = drizzle(database);
  const records = createRecords(sqlite.store, { Encounter: onDrizzle.createFindVisit(db) });
  return {
    ...sqlite,
    db,
    records,
    table: onDrizzle.visits,
    bookVisit: (visit: Visit) => onDrizzle.bookVisit(db, records, visit),
  };
};
