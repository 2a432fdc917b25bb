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
import { Kysely, SqliteDialect, sql } from 'kysely';
import { DataSource } from 'typeorm';
import * as onDrizzle from '../../drizzle-sqlite.ts';
import * as onKnex from '../../knex.ts';
import * as onKysely from '../../kysely.ts';
import * as onTypeOrm from '../../typeorm.ts';
import { doseOf, toEncounter, type Visit } from '../../visit.ts';
import { createRecords, type Tool, undoNested } from './tool.ts';

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
  const sqlite = onHandle(database);
  const db = new Kysely<onKysely.Tables>({ dialect: new SqliteDialect({ database }) });
  const records = createRecords(sqlite.store, { Encounter: onKysely.createFindVisit(db) });
  return {
    ...sqlite,
    records,
    bookVisit: (visit) => onKysely.bookVisit({ db, records, fromKysely }, visit),
    transaction: (work) =>
      db.transaction().execute((trx) =>
        work({
          joined: fromKysely(trx),
          insert: (visit) => trx.insertInto('visits').values(visit).execute(),
          undo: async (inner) => {
            await sql`savepoint mine`.execute(trx);
            await inner();
            await sql`rollback to mine`.execute(trx);
          },
        }),
      ),
  };
};

const knexTool = async (): Promise<Tool> => {
  const knex = createKnex({
    client: 'better-sqlite3',
    connection: { filename: ':memory:' },
    useNullAsDefault: true,
  });
  const database: Database.Database = await knex.client.acquireConnection();
  await knex.client.releaseConnection(database);
  const sqlite = onHandle(database);
  const records = createRecords(sqlite.store, { Encounter: onKnex.createFindVisit(knex) });
  return {
    ...sqlite,
    records,
    bookVisit: (visit) => onKnex.bookVisit({ knex, records, fromKnex }, visit),
    transaction: (work) =>
      knex.transaction((trx) =>
        work({
          joined: fromKnex(trx),
          insert: (visit) => trx('visits').insert(visit).then(),
          undo: (inner) => undoNested((nested) => trx.transaction(nested), inner),
        }),
      ),
    close: async () => {
      await sqlite.close();
      await knex.destroy();
    },
  };
};

const typeOrm = async (): Promise<Tool> => {
  const dataSource = await new DataSource({
    type: 'better-sqlite3',
    database: ':memory:',
    entities: [onTypeOrm.visits],
  }).initialize();
  const { databaseConnection } = dataSource.driver as unknown as {
    readonly databaseConnection: Database.Database;
  };
  const sqlite = onHandle(databaseConnection);
  const records = createRecords(sqlite.store, { Encounter: onTypeOrm.createFindVisit(dataSource) });
  return {
    ...sqlite,
    records,
    bookVisit: (visit) => onTypeOrm.bookVisit({ dataSource, records, fromTypeOrm }, visit),
    transaction: (work) =>
      dataSource.transaction((manager) =>
        work({
          joined: fromTypeOrm(manager),
          insert: (visit) => manager.insert(onTypeOrm.visits, visit),
          undo: (inner) => undoNested((nested) => manager.transaction(nested), inner),
        }),
      ),
    close: async () => {
      await sqlite.close();
      await dataSource.destroy();
    },
  };
};

/** A driver itself. */
const driver = (open: () => Handle) => async (): Promise<Tool> => {
  const database = open();
  const sqlite = onHandle(database);
  const records = createRecords(sqlite.store, {
    Encounter: (id, on: Handle = database) => {
      const visit = on.prepare('SELECT * FROM visits WHERE id = ?').get(id) as Visit | undefined;
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
  return {
    ...sqlite,
    records,
    transaction,
    bookVisit: async (visit) => {
      let id = '';
      await transaction(async ({ joined, insert }) => {
        await insert(visit);
        const { immunizations } = records.in(joined);
        ({ id } = await immunizations.create(doseOf(visit), { by: 'Practitioner/ada' }));
      });
      return id;
    },
  };
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
