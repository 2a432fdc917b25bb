import type { ClinicalRecords } from '@clinical-records/core';

export const rosa = 'demo-patient-1';
export const nils = 'demo-patient-2';
export const anika = 'demo-patient-3';
export const marcel = 'demo-patient-4';
export const fatima = 'demo-patient-5';

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
/** The social worker. */
export const raman = 'demo-practitioner-6';

export const homeCare = 'demo-organization-1';
/** The clinic itself. */
export const clinic = 'demo-organization-2';

export const location = 'demo-location-1';

/** An encounter with a note, and one whose note does not exist yet. */
export const rosaVisit = 'demo-encounter-1';
export const nilsVisit = 'demo-encounter-2';
export const rosaNote = 'demo-note-1';

export const patients = [
  { id: rosa, lastName: 'Alvarez', firstName: 'Rosa' },
  { id: nils, lastName: 'Bergström', firstName: 'Nils' },
  { id: anika, lastName: 'Chowdhury', firstName: 'Anika' },
  { id: marcel, lastName: 'Dubois', firstName: 'Marcel' },
  { id: fatima, lastName: 'الزهراني', firstName: 'فاطمة' },
] as const;

export const organizations = [
  { id: homeCare, name: 'Harbor Home Care' },
  { id: clinic, name: 'Harbor Clinic' },
] as const;

/** The conditions for which tests are ordered, by patient. */
export const conditionIds = {
  [rosa]: 'demo-condition-1',
  [nils]: 'demo-condition-2',
  [anika]: 'demo-condition-3',
} as const;

export const practitioners = [
  { id: okafor, lastName: 'Okafor', firstName: 'Amara' },
  { id: lindqvist, lastName: 'Lindqvist', firstName: 'Jonas' },
  { id: reyes, lastName: 'Reyes', firstName: 'Marisol' },
  { id: tanaka, lastName: 'Tanaka', firstName: 'Kenji' },
  { id: haddad, lastName: 'Haddad', firstName: 'Leila' },
  { id: raman, lastName: 'Raman', firstName: 'Priya' },
] as const;

/** All people and visits that the demo charts refer to. */
export const putPeople = async ({ directory }: ClinicalRecords): Promise<void> => {
  for (const practitioner of practitioners) await directory.put('Practitioner', practitioner);
  for (const organization of organizations) await directory.put('Organization', organization);
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
