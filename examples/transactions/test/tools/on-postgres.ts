import type { TransactionConnection } from '@clinical-records/core';
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
import { Kysely, PostgresDialect } from 'kysely';
import { DataSource } from 'typeorm';
import * as onDrizzle from '../../drizzle.ts';
import { PrismaClient } from '../../generated/client.ts';
import * as onPrisma from '../../prisma.ts';
import * as onTypeOrm from '../../typeorm.ts';
import { toEncounter, type Visit } from '../../visit.ts';
import { bookBy, knexOn, kyselyOn, typeOrmOn } from './either-database.ts';
import { createRecords, openPostgres, type Tool, undoNested } from './tool.ts';

const kysely = async (serverUrl: string): Promise<Tool> => {
  const { pool, ...postgres } = await openPostgres(serverUrl);
  return kyselyOn(postgres, new Kysely({ dialect: new PostgresDialect({ pool }) }), fromKysely);
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
  const close = async () => {
    await knex.destroy();
    await postgres.close();
  };
  return knexOn({ ...postgres, close }, knex, fromKnex);
};

const typeOrm = async (serverUrl: string): Promise<Tool> => {
  const { pool, url, ...postgres } = await openPostgres(serverUrl);
  const dataSource = new DataSource({ type: 'postgres', url, entities: [onTypeOrm.visits] });
  await dataSource.initialize();
  const close = async () => {
    await dataSource.destroy();
    await postgres.close();
  };
  return typeOrmOn({ ...postgres, close }, dataSource, fromTypeOrm);
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
      Encounter: async (id, connection?: TransactionConnection) => {
        const { rows } = await (connection ?? pool).query('select * from visits where id = $1', [id]);
        return rows[0] && toEncounter(rows[0] as Visit);
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
    return { ...postgres, records, transaction, bookVisit: bookBy({ records, transaction }) };
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
