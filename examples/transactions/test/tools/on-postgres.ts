import {
  fromDrizzle,
  fromKnex,
  fromKysely,
  fromPg,
  fromPrisma,
  fromQuery,
  fromTypeOrm,
} from '@clinical-records/store-postgres';
import { PrismaPg } from '@prisma/adapter-pg';
import { sql as drizzleSql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import createKnex from 'knex';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { DataSource } from 'typeorm';
import * as onDrizzle from '../../drizzle.ts';
import { PrismaClient } from '../../generated/client.ts';
import * as onKnex from '../../knex.ts';
import * as onKysely from '../../kysely.ts';
import * as onPrisma from '../../prisma.ts';
import * as onTypeOrm from '../../typeorm.ts';
import { doseOf, toEncounter, type Visit } from '../../visit.ts';
import { createRecords, openPostgres, type Tool, undoNested } from './tool.ts';

const kysely = async (serverUrl: string): Promise<Tool> => {
  const { pool, ...postgres } = await openPostgres(serverUrl);
  const db = new Kysely<onKysely.Tables>({ dialect: new PostgresDialect({ pool }) });
  const records = createRecords(postgres.store, { Encounter: onKysely.createFindVisit(db) });
  return {
    ...postgres,
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

const drizzleTool = async (serverUrl: string): Promise<Tool> => {
  const { pool, ...postgres } = await openPostgres(serverUrl);
  const db = drizzle(pool);
  const records = createRecords(postgres.store, { Encounter: onDrizzle.createFindVisit(db) });
  return {
    ...postgres,
    records,
    bookVisit: (visit) => onDrizzle.bookVisit(db, records, visit),
    transaction: (work) =>
      db.transaction((tx) =>
        work({
          joined: fromDrizzle(tx, drizzleSql),
          insert: (visit) => tx.insert(onDrizzle.visits).values(visit),
          undo: (inner) => undoNested((nested) => tx.transaction(nested), inner),
        }),
      ),
  };
};

const knexTool = async (serverUrl: string): Promise<Tool> => {
  const { pool, url, ...postgres } = await openPostgres(serverUrl);
  const knex = createKnex({ client: 'pg', connection: url });
  const records = createRecords(postgres.store, { Encounter: onKnex.createFindVisit(knex) });
  return {
    ...postgres,
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
      await knex.destroy();
      await postgres.close();
    },
  };
};

const typeOrm = async (serverUrl: string): Promise<Tool> => {
  const { pool, url, ...postgres } = await openPostgres(serverUrl);
  const dataSource = await new DataSource({
    type: 'postgres',
    url,
    entities: [onTypeOrm.visits],
  }).initialize();
  const records = createRecords(postgres.store, { Encounter: onTypeOrm.createFindVisit(dataSource) });
  return {
    ...postgres,
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
      await dataSource.destroy();
      await postgres.close();
    },
  };
};

const prismaTool = async (serverUrl: string): Promise<Tool> => {
  const { pool, url, ...postgres } = await openPostgres(serverUrl);
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });
  const records = createRecords(postgres.store, { Encounter: onPrisma.createFindVisit(prisma) });
  return {
    ...postgres,
    records,
    bookVisit: (visit) => onPrisma.bookVisit(prisma, records, visit),
    transaction: (work) =>
      prisma.$transaction((tx) =>
        work({
          joined: fromPrisma(tx),
          insert: (visit) => tx.visits.create({ data: visit }),
          undo: async (inner) => {
            await tx.$executeRaw`savepoint mine`;
            await inner();
            await tx.$executeRaw`rollback to savepoint mine`;
          },
        }),
      ),
    close: async () => {
      await prisma.$disconnect();
      await postgres.close();
    },
  };
};

/** The client of pg itself, joined by `from`. */
const pgTool =
  (from: typeof fromPg) =>
  async (serverUrl: string): Promise<Tool> => {
    const { pool, ...postgres } = await openPostgres(serverUrl);
    const records = createRecords(postgres.store, {
      Encounter: async (id, client: Pick<typeof pool, 'query'> = pool) => {
        const { rows } = await client.query<Visit>('select * from visits where id = $1', [id]);
        return rows[0] && toEncounter(rows[0]);
      },
    });
    const transaction: Tool['transaction'] = async (work) => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        await work({
          joined: from(client as never),
          insert: ({ id, patient }) => client.query('insert into visits values ($1, $2)', [id, patient]),
          undo: async (inner) => {
            await client.query('savepoint mine');
            await inner();
            await client.query('rollback to savepoint mine');
          },
        });
        await client.query('commit');
      } catch (cause) {
        await client.query('rollback');
        throw cause;
      } finally {
        client.release();
      }
    };
    return {
      ...postgres,
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

/** Each tool on PostgreSQL, by its name. */
export const toolsOnPostgres: Readonly<Record<string, (serverUrl: string) => Promise<Tool>>> = {
  pg: pgTool(fromPg),
  Kysely: kysely,
  Drizzle: drizzleTool,
  Knex: knexTool,
  TypeORM: typeOrm,
  Prisma: prismaTool,
  'any tool, by fromQuery': pgTool((client) =>
    fromQuery(client, (text, values) =>
      (client as never as import('pg').PoolClient).query(text, [...values]),
    ),
  ),
};
