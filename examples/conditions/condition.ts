import {
  anyConcept,
  dateTime,
  defineResource,
  elementReference,
  list,
  reference,
} from '@clinical-records/core/define-resource';

/** Problems and diagnoses of another system: imported, read and searched. */
export const condition = defineResource({
  type: 'Condition',
  name: 'conditions',
  patient: 'subject',
  profile: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-condition-problems-health-concerns',
  elements: {
    clinicalStatus: anyConcept.optional(),
    verificationStatus: anyConcept.optional(),
    category: list(anyConcept).optional(),
    code: anyConcept,
    subject: reference('Patient'),
    encounter: elementReference('Encounter').optional(),
    onsetDateTime: dateTime.optional(),
    abatementDateTime: dateTime.optional(),
    recordedDate: dateTime.optional(),
    recorder: elementReference('Practitioner', 'Patient').optional(),
  },
  conforms: ({ category = [] }) => category.length > 0,
  search: {
    'clinical-status': {
      kind: 'token',
      at: 'clinicalStatus',
      codes: ['active', 'recurrence', 'relapse', 'inactive', 'remission', 'resolved'],
    },
    category: { kind: 'token', at: 'category' },
    code: { kind: 'token', at: 'code' },
    encounter: { kind: 'reference', at: 'encounter', types: ['Encounter'] },
    'onset-date': { kind: 'date', at: 'onsetDateTime' },
    'recorded-date': { kind: 'date', at: 'recordedDate' },
  },
  references: { encounter: 'encounter' },
  people: ['recorder'],
  mandatory: ['code', 'subject', 'category'],
  summary: ['clinicalStatus', 'verificationStatus', 'encounter', 'recordedDate', 'recorder'],
  inError: 'verificationStatus.coding.code',
  isEnd: () => false,
  otherVersions: [
    { version: 'DSTU2', element: 'dateRecorded', inR4: 'recordedDate' },
    { version: 'DSTU1', type: 'Problem' },
  ],
  writes: [],
});
