import type { ClinicalRecords, TransactionConnection } from '@clinical-records/core';
import { fromDrizzle } from '@clinical-records/store-postgres';
import { eq, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { doseOf, toEncounter, type Visit } from './visit.ts';

export const visits = pgTable('visits', { id: text().primaryKey(), patient: text().notNull() });

type Database = Pick<NodePgDatabase, 'select' | 'insert'>;

/** Writes a visit, and a dose that refers to it: both, or neither. Returns the id of the dose. */
export const bookVisit = (db: NodePgDatabase, records: ClinicalRecords, visit: Visit): Promise<string> =>
  db.transaction(async (tx) => {
    await tx.insert(visits).values(visit);
    const { immunizations } = records.in(fromDrizzle(tx, sql));
    return (await immunizations.create(doseOf(visit), { by: 'Practitioner/ada' })).id;
  });

/** Finds a visit for `resolve`, in the transaction that asks for it. */
export const createFindVisit =
  (db: Database) => async (id: string, connection?: TransactionConnection<Database>) => {
    const on = connection?.transaction ?? db;
    const [visit] = await on.select().from(visits).where(eq(visits.id, id));
    return visit && toEncounter(visit);
  };
