import { below, oneOf, randomFrom } from './random.ts';

/** The number of records of a patient: immunizations, or service requests. */
export const recordsPerPatient = 12;
const immunizationsPerEncounter = 3;

export type RecordType = 'Immunization' | 'ServiceRequest';
export type Resource = { readonly resourceType: string; readonly id: string };

export const extensionBase = 'https://clinic.example/fhir/extensions';

const vaccines = [
  ['140', 'Influenza, seasonal, injectable, preservative free'],
  ['33', 'pneumococcal polysaccharide PPV23'],
  ['115', 'Tdap'],
  ['187', 'zoster recombinant'],
  ['208', 'COVID-19, mRNA, LNP-S, PF, 30 mcg/0.3 mL dose'],
] as const;

const categories = [
  { system: 'http://snomed.info/sct', code: '363679005', display: 'Imaging' },
  { system: 'http://snomed.info/sct', code: '108252007', display: 'Laboratory procedure' },
] as const;

const statuses = ['active', 'completed', 'draft', 'entered-in-error'] as const;

const comment =
  'Administered elsewhere; the card was seen and copied by the front desk. No reaction was reported. '.repeat(
    4,
  );

const dayOf = (random: () => number) =>
  new Date(Date.UTC(2016, 0, 1) + below(random, 3650) * 86_400_000).toISOString().slice(0, 10);

/** All records of an even patient are immunizations, those of an odd one service requests. */
export const typeOf = (patient: number): RecordType =>
  patient % 2 === 0 ? 'Immunization' : 'ServiceRequest';

export const patientId = (patient: number) => `patient-${patient}`;
export const patientOf = (record: number) => Math.floor(record / recordsPerPatient);
export const recordId = (record: number) => `${typeOf(patientOf(record)).toLowerCase()}-${record}`;
const encounterId = (record: number) => `encounter-${Math.floor(record / immunizationsPerEncounter)}`;

const patient = (number: number) => ({
  resourceType: 'Patient',
  id: patientId(number),
  name: [{ use: 'official', family: `Family${number}`, given: [`Given${number % 997}`] }],
});

const encounter = (record: number) => ({
  resourceType: 'Encounter',
  id: encounterId(record),
  status: 'finished',
  class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'AMB' },
  subject: { reference: `Patient/${patientId(patientOf(record))}` },
});

/** An immunization, about 900 bytes as it is stored. */
const immunization = (record: number) => {
  const random = randomFrom(record);
  const [code, display] = oneOf(random, vaccines);
  return {
    resourceType: 'Immunization',
    id: recordId(record),
    status: 'completed',
    vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code, display }] },
    patient: { reference: `Patient/${patientId(patientOf(record))}`, type: 'Patient' },
    encounter: { reference: `Encounter/${encounterId(record)}`, type: 'Encounter' },
    occurrenceDateTime: dayOf(random),
    primarySource: false,
    note: [{ text: comment }],
  } as const;
};

const serviceRequest = (record: number) => {
  const random = randomFrom(record);
  return {
    resourceType: 'ServiceRequest',
    id: recordId(record),
    status: oneOf(random, statuses),
    intent: 'order',
    category: [{ coding: [oneOf(random, categories)] }],
    code: {
      coding: [{ system: 'http://loinc.org', code: `${10_000 + below(random, 60)}-1`, display: 'A panel' }],
    },
    subject: { reference: `Patient/${patientId(patientOf(record))}`, type: 'Patient' },
    authoredOn: `${dayOf(random)}T10:30:00Z`,
  } as const;
};

export type Immunization = ReturnType<typeof immunization>;
export type ServiceRequest = ReturnType<typeof serviceRequest>;

/** The record with a number, which is always the same. */
export const record = (number: number): Immunization | ServiceRequest =>
  typeOf(patientOf(number)) === 'Immunization' ? immunization(number) : serviceRequest(number);

/** A body to post: an immunization of an earlier patient, without an id. */
export const immunizationBody = (number: number, place: 'its encounter' | 'a new note') => {
  const { id, encounter: visit, ...body } = immunization(number);
  return place === 'a new note' ? body : { ...body, encounter: visit };
};

export type Range = { readonly from: number; readonly until: number };

/** The records of a range, one type after the other as in a bulk export, after the records that they refer to. */
export function* clinicResources({ from, until }: Range): Iterable<Resource> {
  const ofType = function* (type: RecordType): Iterable<number> {
    for (let number = from; number < until; number++) if (typeOf(patientOf(number)) === type) yield number;
  };
  for (let number = patientOf(from); number <= patientOf(until - 1); number++) yield patient(number);
  for (const number of ofType('Immunization')) {
    if (number % immunizationsPerEncounter === 0) yield encounter(number);
  }
  for (const type of ['Immunization', 'ServiceRequest'] as const) {
    for (const number of ofType(type)) yield record(number);
  }
}
