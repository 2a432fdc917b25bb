import { dayOf } from '../model/dates/dates.ts';
import { listedName } from '../model/names.ts';
import type { Patient } from '../model/resources.ts';
import { type Client, listOf } from './client.ts';
import { searchStaged } from './commands.ts';

/** A patient with work that waits: goals that are overdue, orders that nobody has committed, and other drafts of the user. */
export type PatientAtWork = {
  readonly patient: Patient;
  readonly overdueGoals: number;
  readonly drafts: number;
};

/** So many patients are named in one search, whose URL is then short enough. */
const atOnce = 50;

const countByPatient = (references: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const reference of references) counts.set(reference, (counts.get(reference) ?? 0) + 1);
  return counts;
};

/** The patients on whose teams a practitioner is, those with the most work first. */
export const loadMyPatients = async (
  client: Client,
  practitionerId: string,
): Promise<readonly PatientAtWork[]> => {
  const teams = await listOf(
    client.searchPages('CareTeam', {
      participant: `Practitioner/${practitionerId}`,
      status: 'active',
      _include: 'CareTeam:patient',
    }),
  );
  const patients = teams.flatMap(({ included }) => included as readonly Patient[]);
  const parts = Array.from({ length: Math.ceil(patients.length / atOnce) }, (_, part) =>
    patients.slice(part * atOnce, (part + 1) * atOnce).map(({ id }) => `Patient/${id}`),
  );
  const searchIn = async <Found>(search: (patient: string) => AsyncIterable<Found>) =>
    (await Promise.all(parts.map((part) => listOf(search(part.join(',')))))).flat();
  const overdueBy = `eb${dayOf(new Date())}`;
  const [goals, orders, staged] = await Promise.all([
    searchIn((patient) =>
      client.search('Goal', { patient, 'lifecycle-status': 'active', 'target-date': overdueBy }),
    ),
    searchIn((patient) => client.search('ServiceRequest', { patient, status: 'draft' })),
    searchStaged(client, { author: `Practitioner/${practitionerId}` }),
  ]);
  // An order that is staged is among the orders already.
  const others = staged.filter(({ resourceType }) => resourceType !== 'ServiceRequest');
  const overdue = countByPatient(goals.map(({ subject }) => subject.reference));
  const drafts = countByPatient([
    ...orders.map(({ subject }) => subject.reference),
    ...others.map(({ patientId }) => `Patient/${patientId}`),
  ]);
  return patients
    .map((patient) => ({
      patient,
      overdueGoals: overdue.get(`Patient/${patient.id}`) ?? 0,
      drafts: drafts.get(`Patient/${patient.id}`) ?? 0,
    }))
    .toSorted(
      (a, b) =>
        b.overdueGoals - a.overdueGoals ||
        b.drafts - a.drafts ||
        listedName(a.patient.name).localeCompare(listedName(b.patient.name)),
    );
};
