import type { ClinicalRecords, TransactionConnection } from '@clinical-records/core';
import type { fromKysely } from '@clinical-records/store-postgres';
import type { Kysely } from 'kysely';
import { doseOf, toEncounter, type Visit } from './visit.ts';

export type Tables = { visits: Visit };

/** The database, the records, and `fromKysely` of their store. */
export type KyselyClinic = {
  readonly db: Kysely<Tables>;
  readonly records: ClinicalRecords;
  readonly fromKysely: typeof fromKysely;
};

// #region book
/** Writes a visit, and a dose that refers to it: both, or neither. Returns the id of the dose. */
export const bookVisit = ({ db, records, fromKysely }: KyselyClinic, visit: Visit): Promise<string> =>
  db.transaction().execute(async (trx) => {
    await trx.insertInto('visits').values(visit).execute();
    const { immunizations } = records.in(fromKysely(trx));
    return (await immunizations.create(doseOf(visit), { by: 'Practitioner/ada' })).id;
  });
// #endregion

/** Finds a visit for `resolve`, in the transaction that asks for it. */
export const createFindVisit =
  (db: Kysely<Tables>) => async (id: string, connection?: TransactionConnection<Kysely<Tables>>) => {
    const on = connection?.transaction ?? db;
    const visit = await on.selectFrom('visits').selectAll().where('id', '=', id).executeTakeFirst();
    return visit && toEncounter(visit);
  };
