import { type ClinicalRecords, orThrow } from '@clinical-records/core';
import { putCareTeams } from './care-teams.ts';
import { putGoals } from './goals.ts';
import { putImmunizations } from './immunizations.ts';
import { putOrders } from './orders.ts';
import { putPeople, rosa } from './people.ts';

/** Every patient has a care team by default: where there is no team, there is no patient. */
export const hasPatients = async ({ careTeams }: ClinicalRecords): Promise<boolean> =>
  (await orThrow(careTeams.search({ _count: 0 }))).total > 0;

/** Whether a file holds the demo clinic. */
export const hasDemoClinic = async ({ directory }: ClinicalRecords): Promise<boolean> =>
  (await orThrow(directory.read('Patient', rosa))) !== null;

/**
 * A small clinic in which every resource is to be seen in every state. All of its ids begin with `demo-`. Of several
 * processes that put it at once, the one that makes the first goal goes on.
 */
export const putDemoClinic = async (records: ClinicalRecords): Promise<void> => {
  await putPeople(records);
  await putCareTeams(records);
  if (!(await putGoals(records))) return;
  await putOrders(records);
  await putImmunizations(records);
};
