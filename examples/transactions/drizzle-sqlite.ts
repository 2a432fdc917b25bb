import type { ClinicalRecords } from '@clinical-records/core';
import { eq } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { doseOf, toEncounter, type Visit } from './visit.ts';

export const visits = sqliteTable('visits', { id: text().primaryKey(), patient: text().notNull() });

/**
 * Writes a visit, and a dose that refers to it: both, or neither. Returns the id of the dose. The encounter is put into the
 * directory, because the statements of Drizzle run after the callback.
 */
export const bookVisit = (
  db: BetterSQLite3Database,
  records: ClinicalRecords,
  visit: Visit,
): Promise<string> =>
  records.transaction(async (tx) => {
    await tx.directory.put('Encounter', toEncounter(visit));
    const { id } = await tx.immunizations.create(doseOf(visit), { by: 'Practitioner/ada' });
    tx.write(() => db.insert(visits).values(visit).run());
    return id;
  });

/** Finds a visit for `resolve`. */
export const createFindVisit = (db: BetterSQLite3Database) => (id: string) => {
  const visit = db.select().from(visits).where(eq(visits.id, id)).get();
  return visit && toEncounter(visit);
};
