import type { AnyClinicalRecords } from '@clinical-records/core';
import { putAllergies } from './allergies.ts';
import { putCareTeams } from './care-teams.ts';
import { putGoals } from './goals.ts';
import { putImmunizations } from './immunizations.ts';
import { putOrders } from './orders.ts';
import { putPeople, rosa } from './people.ts';

/** Whether a file holds the demo clinic. */
export const hasDemoClinic = async ({ directory }: AnyClinicalRecords): Promise<boolean> =>
  (await directory.read('Patient', rosa)) !== null;

/** A small clinic that has every resource in every state. All of its ids begin with `demo-`. */
export const putDemoClinic = async (records: AnyClinicalRecords): Promise<void> => {
  await putPeople(records);
  await putCareTeams(records);
  await putGoals(records);
  await putOrders(records);
  await putImmunizations(records);
  await putAllergies(records);
};
