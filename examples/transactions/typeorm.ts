import type { ClinicalRecords, TransactionConnection } from '@clinical-records/core';
import type { Transaction } from '@clinical-records/core/store';
import { type DataSource, type EntityManager, EntitySchema } from 'typeorm';
import { doseOf, toEncounter, type Visit } from './visit.ts';

export const visits = new EntitySchema<Visit>({
  name: 'visits',
  columns: { id: { type: 'text', primary: true }, patient: { type: 'text' } },
});

/** The database, the records, and `fromTypeOrm` of their store. */
export type TypeOrmClinic = {
  readonly dataSource: DataSource;
  readonly records: ClinicalRecords;
  readonly fromTypeOrm: (manager: EntityManager) => Transaction;
};

/** Writes a visit, and a dose that refers to it: both, or neither. Returns the id of the dose. */
export const bookVisit = (
  { dataSource, records, fromTypeOrm }: TypeOrmClinic,
  visit: Visit,
): Promise<string> =>
  dataSource.transaction(async (manager) => {
    await manager.insert(visits, visit);
    const { immunizations } = records.in(fromTypeOrm(manager));
    return (await immunizations.create(doseOf(visit), { by: 'Practitioner/ada' })).id;
  });

/** Finds a visit for `resolve`, in the transaction that asks for it. */
export const createFindVisit =
  ({ manager: outside }: DataSource) =>
  async (id: string, connection?: TransactionConnection<EntityManager>) => {
    const on = connection?.transaction ?? outside;
    const visit = await on.findOneBy(visits, { id });
    return visit && toEncounter(visit);
  };
