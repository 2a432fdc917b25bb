import { dayOf } from '../model/dates/dates.ts';
import type { Patient } from '../model/resources.ts';
import { type PatientAtWork, sortByWork } from '../model/work.ts';
import { type Client, listOf, searchStaged } from './client.ts';

/** So many patients are named in one search, whose URL is then short enough. */
const atOnce = 50;

/** The patients on whose teams a practitioner is, those with the most work first. */
export const loadMyPatients = async (
  client: Client,
  practitionerId: string,
): Promise<readonly PatientAtWork[]> => {
  const by = `Practitioner/${practitionerId}` as const;
  const onTeam = { participant: by, status: 'active', _include: 'CareTeam:patient' } as const;
  const teams = await listOf(client.searchPages('CareTeam', onTeam));
  const patients = teams.flatMap(({ included }) => included as readonly Patient[]);
  const parts = Array.from({ length: Math.ceil(patients.length / atOnce) }, (_, part) =>
    patients.slice(part * atOnce, (part + 1) * atOnce).map(({ id }) => `Patient/${id}`),
  );
  const searchIn = async <Found>(search: (patient: string) => AsyncIterable<Found>) =>
    (await Promise.all(parts.map((part) => listOf(search(part.join(',')))))).flat();
  const isOverdue = { 'lifecycle-status': 'active', 'target-date': `eb${dayOf(new Date())}` } as const;
  const [goals, orders, staged] = await Promise.all([
    searchIn((patient) => client.search('Goal', { patient, ...isOverdue })),
    searchIn((patient) => client.search('ServiceRequest', { patient, status: 'draft' })),
    searchStaged(client, { author: by }),
  ]);
  // An order that is staged is among the orders already.
  const others = staged.filter(({ resourceType }) => resourceType !== 'ServiceRequest');
  return sortByWork(patients, {
    overdue: goals.map(({ subject }) => subject.reference),
    drafts: [
      ...orders.map(({ subject }) => subject.reference),
      ...others.map(({ patientId }) => `Patient/${patientId}`),
    ],
  });
};
