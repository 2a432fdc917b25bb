import type { ClinicalRecords, TransactionConnection } from '@clinical-records/core';
import type { Transaction } from '@clinical-records/core/store';
import type { Knex } from 'knex';
import { doseOf, toEncounter, type Visit } from './visit.ts';

/** The database, the records, and `fromKnex` of their store. */
export type KnexClinic = {
  readonly knex: Knex;
  readonly records: ClinicalRecords;
  readonly fromKnex: (trx: Knex.Transaction) => Transaction;
};

/** Writes a visit, and a dose that refers to it: both, or neither. Returns the id of the dose. */
export const bookVisit = ({ knex, records, fromKnex }: KnexClinic, visit: Visit): Promise<string> =>
  knex.transaction(async (trx) => {
    await trx('visits').insert(visit);
    const { immunizations } = records.in(fromKnex(trx));
    return (await immunizations.create(doseOf(visit), { by: 'Practitioner/ada' })).id;
  });

/** Finds a visit for `resolve`, in the transaction that asks for it. */
export const createFindVisit =
  (knex: Knex) => async (id: string, connection?: TransactionConnection<Knex>) => {
    const on = connection?.transaction ?? knex;
    const visit = await on<Visit>('visits').where({ id }).first();
    return visit && toEncounter(visit);
  };
