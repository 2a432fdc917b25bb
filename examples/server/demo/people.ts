import type { ClinicalRecords } from '@clinical-records/core';
import { hl7, npi } from './fhir/resource.ts';

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

/** The number of a patient's record in the clinic. */
const recordNumber = (value: string) => [
  {
    type: hl7('v2-0203', 'MR', 'Medical record number'),
    system: 'https://clinical-records.example/medical-records',
    value,
  },
];

export const patients = [
  {
    id: rosa,
    lastName: 'Alvarez',
    firstName: 'Rosa',
    gender: 'female',
    birthDate: '1961-08-23',
    identifier: recordNumber('R-1001'),
  },
  {
    id: nils,
    lastName: 'Bergström',
    firstName: 'Nils',
    gender: 'male',
    birthDate: '1948-02-11',
    identifier: recordNumber('R-1002'),
  },
  {
    id: anika,
    lastName: 'Chowdhury',
    firstName: 'Anika',
    gender: 'female',
    birthDate: '1990-11-05',
    identifier: recordNumber('R-1003'),
  },
  {
    id: marcel,
    lastName: 'Dubois',
    firstName: 'Marcel',
    gender: 'male',
    birthDate: '1979-06-30',
    identifier: recordNumber('R-1004'),
  },
  {
    id: fatima,
    lastName: 'الزهراني',
    firstName: 'فاطمة',
    gender: 'female',
    birthDate: '1985-03-17',
    identifier: recordNumber('R-1005'),
  },
] as const;

export const organizations = [
  { id: homeCare, name: 'Harbor Home Care', identifier: npi('9999999060') },
  { id: clinic, name: 'Harbor Clinic', identifier: npi('9999999078') },
] as const;

/** The conditions for which tests are ordered, by patient. */
export const conditionIds = {
  [rosa]: 'demo-condition-1',
  [nils]: 'demo-condition-2',
  [anika]: 'demo-condition-3',
} as const;

export const practitioners = [
  { id: okafor, lastName: 'Okafor', firstName: 'Amara', identifier: npi('9999999011') },
  { id: lindqvist, lastName: 'Lindqvist', firstName: 'Jonas', identifier: npi('9999999029') },
  { id: reyes, lastName: 'Reyes', firstName: 'Marisol', identifier: npi('9999999037') },
  { id: tanaka, lastName: 'Tanaka', firstName: 'Kenji', identifier: npi('9999999045') },
  { id: haddad, lastName: 'Haddad', firstName: 'Leila', identifier: npi('9999999052') },
  { id: raman, lastName: 'Raman', firstName: 'Priya', identifier: npi('9999999086') },
] as const;

/** All people and visits that the demo charts refer to. */
export const putPeople = async ({ directory }: Pick<ClinicalRecords, 'directory'>): Promise<void> => {
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
