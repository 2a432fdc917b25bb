import type { Knex } from 'knex';
import { type Kysely, sql } from 'kysely';
import type { DataSource } from 'typeorm';
import * as onKnex from '../../knex.ts';
import * as onKysely from '../../kysely.ts';
import * as onTypeOrm from '../../typeorm.ts';
import { doseOf } from '../../visit.ts';
import { createRecords, type Database, type Tool, undoNested } from './tool.ts';

// The tools whose code is the same on PostgreSQL and on SQLite.

export const kyselyOn = (
  database: Database,
  db: Kysely<onKysely.Tables>,
  fromKysely: onKysely.KyselyClinic['fromKysely'],
): Tool => {
  const records = createRecords(database.store, { Encounter: onKysely.createFindVisit(db) });
  return {
    ...database,
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
            await sql`rollback to savepoint mine`.execute(trx);
          },
        }),
      ),
  };
};

export const knexOn = (database: Database, knex: Knex, fromKnex: onKnex.KnexClinic['fromKnex']): Tool => {
  const records = createRecords(database.store, { Encounter: onKnex.createFindVisit(knex) });
  return {
    ...database,
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
  };
};

export const typeOrmOn = (
  database: Database,
  dataSource: DataSource,
  fromTypeOrm: onTypeOrm.TypeOrmClinic['fromTypeOrm'],
): Tool => {
  const records = createRecords(database.store, { Encounter: onTypeOrm.createFindVisit(dataSource) });
  return {
    ...database,
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
  };
};

/** Books a visit in a transaction of a driver, which has no recipe of its own. */
export const bookBy =
  ({ records, transaction }: Pick<Tool, 'records' | 'transaction'>): Tool['bookVisit'] =>
  async (visit) => {
    let id = '';
    await transaction(async ({ joined, insert }) => {
      await insert(visit);
      const { immunizations } = records.in(joined);
      ({ id } = await immunizations.create(doseOf(visit), { by: 'Practitioner/ada' }));
    });
    return id;
  };
