import type { ClinicalRecords } from '@clinical-records/core';

export const rosa = 'demo-patient-1';
export const nils = 'demo-patient-2';
export const anika = 'demo-patient-3';
export const marcel = 'demo-patient-4';

/** The family physician. */
export const okafor = 'demo-practitioner-1';
/** The cardiologist. */
export const lindqvist = 'demo-practitioner-2';
/** The nurse. */
export const reyes = 'demo-practitioner-3';
/** The dietitian. */
export const tanaka = 'demo-practitioner-4';
/** The physiotherapist. */
export const haddad = 'demo-practitioner-5';

export const homeCare = 'demo-organization-1';

/** An encounter with a note, and one whose note does not exist yet. */
export const rosaVisit = 'demo-encounter-1';
export const nilsVisit = 'demo-encounter-2';
export const rosaNote = 'demo-note-1';

const patients = [
  { id: rosa, lastName: 'Alvarez', firstName: 'Rosa' },
  { id: nils, lastName: 'Bergström', firstName: 'Nils' },
  { id: anika, lastName: 'Chowdhury', firstName: 'Anika' },
  { id: marcel, lastName: 'Dubois', firstName: 'Marcel' },
];

const practitioners = [
  { id: okafor, lastName: 'Okafor', firstName: 'Amara' },
  { id: lindqvist, lastName: 'Lindqvist', firstName: 'Jonas' },
  { id: reyes, lastName: 'Reyes', firstName: 'Marisol' },
  { id: tanaka, lastName: 'Tanaka', firstName: 'Kenji' },
  { id: haddad, lastName: 'Haddad', firstName: 'Leila' },
];

/** All people and visits that the demo charts refer to. */
export const putPeople = async ({ directory }: ClinicalRecords): Promise<void> => {
  for (const practitioner of practitioners) await directory.put('Practitioner', practitioner);
  await directory.put('Organization', { id: homeCare, name: 'Harbor Home Care' });
  for (const patient of patients) await directory.put('Patient', patient);
  await directory.put('Encounter', { id: rosaVisit, patientId: rosa });
  await directory.put('Encounter', { id: nilsVisit, patientId: nils });
  await directory.put('Note', {
    id: rosaNote,
    patientId: rosa,
    encounterId: rosaVisit,
    title: 'Annual visit',
  });
};
