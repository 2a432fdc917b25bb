import { buildOrder } from '@clinical-records/core/testing';
import type { Tool } from './tools/tool.ts';

export const by = { by: 'Practitioner/ada' } as const;

export const visitOf = (id: string) => ({ id, patient: 'amy' });

export const orderOf = (id: string) => buildOrder({ id, patientId: 'amy' });

/** Puts the people of the tests into the directory. */
export const putPeople = async ({ records }: Pick<Tool, 'records'>): Promise<void> => {
  await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
  await records.directory.put('Practitioner', { id: 'ada', lastName: 'Byron' });
};

/** Those of some orders that are committed, in the order of their commits. */
export const committed = async ({ records }: Pick<Tool, 'records'>, ...ids: readonly string[]) => {
  const found: string[] = [];
  for await (const { resourceType, id } of records.changes())
    if (resourceType === 'ServiceRequest' && ids.includes(id)) found.push(id);
  return found;
};
