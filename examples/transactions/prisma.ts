import type { ClinicalRecords, TransactionConnection } from '@clinical-records/core';
import { fromPrisma } from '@clinical-records/store-postgres';
import type { Prisma, PrismaClient } from './generated/client.ts';
import { doseOf, toEncounter, type Visit } from './visit.ts';

/** Writes a visit, and a dose that refers to it: both, or neither. Returns the id of the dose. */
export const bookVisit = (prisma: PrismaClient, records: ClinicalRecords, visit: Visit): Promise<string> =>
  prisma.$transaction(async (tx) => {
    await tx.visits.create({ data: visit });
    const { immunizations } = records.in(fromPrisma(tx));
    return (await immunizations.create(doseOf(visit), { by: 'Practitioner/ada' })).id;
  });

/** Finds a visit for `resolve`, in the transaction that asks for it. */
export const createFindVisit =
  (prisma: PrismaClient) =>
  async (id: string, connection?: TransactionConnection<Prisma.TransactionClient>) => {
    const on = connection?.transaction ?? prisma;
    const visit = await on.visits.findUnique({ where: { id } });
    return visit && toEncounter(visit);
  };
