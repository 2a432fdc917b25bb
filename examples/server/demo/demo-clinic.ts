import type { ClinicalRecords } from '@clinical-records/core';
import { putCareTeams } from './care-teams.ts';
import { putGoals } from './goals.ts';
import { putImmunizations } from './immunizations.ts';
import { putOrders } from './orders.ts';
import { putPeople, rosa } from './people.ts';

/** Whether a file holds the demo clinic. */
export const hasDemoClinic = async ({ directory }: ClinicalRecords): Promise<boolean> =>
  (await directory.read('Patient', rosa)) !== null;

/** A small clinic that has every resource in every state. All of its ids begin with `demo-`. */
export const putDemoClinic = async (records: ClinicalRecords): Promise<void> => {
  await putPeople(records);
  await putCareTeams(records);
  await putGoals(records);
  await putOrders(records);
  await putImmunizations(records);
};
