import { type ClinicalRecordsOptions, createClinicalRecords } from '@clinical-records/core';
import type { ClinicalStore } from '@clinical-records/core/store';
import { allergy } from '../../../../examples/conditions/allergy.ts';
import { condition } from '../../../../examples/conditions/condition.ts';
import type { HttpHandlerOptions, Principal } from '../../src/index.ts';
import { createClock, createHandler, createSender, extensionBase } from '../clinic.ts';

const snomed = 'http://snomed.info/sct';

export const clinicalStatus = (code: string, of: 'condition' | 'allergyintolerance' = 'condition') => ({
  coding: [{ system: `http://terminology.hl7.org/CodeSystem/${of}-clinical`, code }],
});

export const verificationStatus = (code: string) => ({ coding: [{ code }] });

/** A condition as another system sends it. */
export const sourceCondition = (id: string, patientId: string, rest: object = {}) => ({
  resourceType: 'Condition' as const,
  id,
  clinicalStatus: clinicalStatus('active'),
  category: [{ coding: [{ code: 'problem-list-item' }] }],
  code: { coding: [{ system: snomed, code: '38341003', display: 'Hypertension' }] },
  subject: { reference: `Patient/${patientId}` },
  encounter: { reference: `Encounter/visit-${patientId}` },
  recordedDate: '2024-05-02',
  ...rest,
});

/** The body of an allergy of Amy's. */
export const nuts = (rest: object = {}) => ({
  resourceType: 'AllergyIntolerance' as const,
  clinicalStatus: clinicalStatus('active', 'allergyintolerance'),
  category: ['food' as const],
  criticality: 'high' as const,
  code: { coding: [{ system: snomed, code: '91935009', display: 'Allergy to peanuts' }] },
  patient: { reference: 'Patient/amy' as const },
  reaction: [
    {
      manifestation: [{ coding: [{ system: snomed, code: '271807003', display: 'Rash' }] }],
      severity: 'mild' as const,
    },
  ],
  ...rest,
});

export const by = 'Practitioner/ada';

type Options = Partial<Omit<ClinicalRecordsOptions, 'types' | 'rules'>>;

/** The records of a clinic with conditions and allergies. */
export const createRecords = (store: ClinicalStore, options: Options = {}) =>
  createClinicalRecords({
    ...{ store, extensionBase, careTeamRoles: [], clock: createClock().now, types: [condition, allergy] },
    ...options,
  });

/** A clinic with two patients, each with an encounter. */
export const openClinic = async (store: ClinicalStore, options: Options = {}) => {
  const records = createRecords(store, options);
  const { directory } = records;
  await directory.put('Practitioner', { id: 'ada', lastName: 'Byron', firstName: 'Ada' });
  for (const id of ['amy', 'ben']) {
    await directory.put('Patient', { id, lastName: 'Shaw', firstName: id });
    await directory.put('Encounter', { id: `visit-${id}`, patientId: id });
  }
  const send = createSender(createHandler(records));
  const sendAs = (principal: Partial<Principal>, handlerOptions: Partial<HttpHandlerOptions> = {}) =>
    createSender(
      createHandler(records, {
        authenticate: () => ({ subject: 'Person/x', scopes: [], ...principal }),
        ...handlerOptions,
      }),
    );
  return { records, send, sendAs, get: (path: string) => send('GET', path) };
};
