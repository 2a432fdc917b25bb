import type { PartialCodeableConcept } from '@clinical-records/core';
import {
  annotation,
  anyConcept,
  codes,
  dateTime,
  defineResource,
  element,
  elementReference,
  list,
  period,
  quantity,
  type ResourceOf,
  range,
  reference,
  text,
} from '@clinical-records/core/define-resource';

/** A reaction of the patient. */
const reaction = element(
  {
    substance: anyConcept.optional(),
    manifestation: list(anyConcept).min(1),
    description: text.optional(),
    onset: dateTime.optional(),
    severity: codes(['mild', 'moderate', 'severe']).optional(),
    exposureRoute: anyConcept.optional(),
  },
  ['note'],
);

const isActive = (status: PartialCodeableConcept | undefined): boolean =>
  status?.coding?.[0]?.code === 'active';

// #region allergy
/** Allergies and intolerances: imported, recorded, changed, and marked as entered in error. */
export const allergy = defineResource({
  type: 'AllergyIntolerance',
  name: 'allergies',
  patient: 'patient',
  profile: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-allergyintolerance',
  elements: {
    clinicalStatus: anyConcept.optional(),
    verificationStatus: anyConcept.optional(),
    type: codes(['allergy', 'intolerance']).optional(),
    category: list(codes(['food', 'medication', 'environment', 'biologic'])).optional(),
    criticality: codes(['low', 'high', 'unable-to-assess']).optional(),
    code: anyConcept,
    patient: reference('Patient'),
    encounter: elementReference('Encounter').optional(),
    onsetDateTime: dateTime.optional(),
    onsetAge: quantity.optional(),
    onsetPeriod: period.optional(),
    onsetRange: range.optional(),
    onsetString: text.optional(),
    recordedDate: dateTime.optional(),
    recorder: elementReference('Practitioner', 'Patient').optional(),
    note: list(annotation).optional(),
    reaction: list(reaction).optional(),
  },
  unstored: ['asserter', 'lastOccurrence'],
  choices: ['onset[x]'],
  identity: { concept: 'code' },
  search: {
    'clinical-status': { kind: 'token', at: 'clinicalStatus', codes: ['active', 'inactive', 'resolved'] },
    code: { kind: 'token', at: ['code', 'reaction.substance'] },
    criticality: { kind: 'token', at: 'criticality', codes: ['low', 'high', 'unable-to-assess'] },
    date: { kind: 'date', at: 'recordedDate' },
    manifestation: { kind: 'token', at: 'reaction.manifestation' },
    recorder: { kind: 'reference', at: 'recorder', types: ['Practitioner', 'Patient'] },
  },
  references: { recorder: 'recorder' },
  people: ['recorder'],
  mandatory: ['code', 'patient'],
  summary: ['clinicalStatus', 'verificationStatus', 'type', 'category', 'criticality'],
  inError: 'verificationStatus.coding.code',
  isEnd: (before, after) => isActive(before?.clinicalStatus) && !isActive(after.clinicalStatus),
  otherVersions: [{ version: 'DSTU2', element: 'substance', inR4: 'code' }],
  writes: ['create', 'update'],
});
// #endregion

/** An allergy or intolerance, as it is read. */
export type Allergy = ResourceOf<typeof allergy>;
