import {
  type AuditStore,
  type ClinicalStore,
  createAuditLog,
  createClinicalRecords,
  defineExtension,
} from '@clinical-records/core';
import { anyConcept, codes, defineResource, reference } from '@clinical-records/core/define-resource';

export const extensionBase = 'https://clinic.example/fhir/extensions';

export const cardiologist = { system: 'http://snomed.info/sct', code: '17561000', display: 'Cardiologist' };
export const nurse = { system: 'http://snomed.info/sct', code: '224535009', display: 'Registered nurse' };

/** A type of the host. It never changes, because frozen databases have resources of it. */
const allergy = defineResource({
  type: 'AllergyIntolerance',
  name: 'allergies',
  patient: 'patient',
  profile: 'https://clinic.example/fhir/StructureDefinition/allergy',
  elements: {
    code: anyConcept,
    patient: reference('Patient'),
    verificationStatus: anyConcept.optional(),
    criticality: codes(['low', 'high', 'unable-to-assess']).optional(),
  },
  unstored: [],
  choices: [],
  identity: { concept: 'code' },
  search: { code: { kind: 'token', at: 'code' } },
  references: {},
  people: [],
  mandatory: ['code', 'patient'],
  summary: ['criticality'],
  inError: 'verificationStatus.coding.code',
  isEnd: () => false,
  otherVersions: [],
  writes: ['create', 'update'],
});

/** A field of the host. */
export const consent = defineExtension({
  url: 'https://clinic.example/consent',
  on: 'Immunization',
  value: 'boolean',
  search: 'clinic-consent',
});

/** Each look at the clock is a second later than the one before, so that a database is the same each time it is made. */
const createClock = (start: string) => {
  let now = Date.parse(start);
  return () => {
    now += 1000;
    return new Date(now);
  };
};

/** The records of a clinic with everything that a host can define, and their audit log. */
export const openClinic = (
  stores: { readonly store: ClinicalStore; readonly auditStore: AuditStore },
  start: string,
) => {
  const audit = createAuditLog({ store: stores.auditStore });
  let ids = 0;
  const records = createClinicalRecords({
    store: stores.store,
    ...{ extensionBase, careTeamRoles: [cardiologist, nurse] },
    types: [allergy],
    extensions: { [consent.url]: consent },
    onAccess: audit.onAccess,
    clock: createClock(start),
    newId: () => `id-${start.slice(0, 4)}-${++ids}`,
  });
  return { records, audit };
};

export type Clinic = ReturnType<typeof openClinic>;
