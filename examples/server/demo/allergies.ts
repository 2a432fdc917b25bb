import type { AnyClinicalRecords } from '@clinical-records/core';
import type { Allergy } from '@clinical-records/example-conditions/allergy';
import { nils, okafor, rosa } from './people.ts';

const snomed = (code: string, display: string) => ({
  coding: [{ system: 'http://snomed.info/sct', code, display }],
});

const statusOf = (element: 'clinical' | 'verification', code: string) => ({
  coding: [{ system: `http://terminology.hl7.org/CodeSystem/allergyintolerance-${element}`, code }],
});

const active = {
  resourceType: 'AllergyIntolerance',
  clinicalStatus: statusOf('clinical', 'active'),
  verificationStatus: statusOf('verification', 'confirmed'),
} as const;

/** A danger to life, one that is over, one that was refuted, and that no allergy is known. */
const allergies: readonly Allergy[] = [
  {
    ...active,
    id: 'demo-allergy-1',
    type: 'allergy',
    category: ['medication'],
    criticality: 'high',
    code: snomed('764146007', 'Penicillin'),
    patient: { reference: `Patient/${rosa}` },
    recordedDate: '2015-06',
    recorder: { reference: `Practitioner/${okafor}` },
    reaction: [{ manifestation: [snomed('39579001', 'Anaphylaxis')], severity: 'severe' }],
  },
  {
    ...active,
    id: 'demo-allergy-2',
    clinicalStatus: statusOf('clinical', 'resolved'),
    category: ['food'],
    criticality: 'low',
    code: snomed('102263004', 'Eggs'),
    patient: { reference: `Patient/${rosa}` },
    onsetString: 'As a child',
  },
  {
    ...active,
    id: 'demo-allergy-3',
    verificationStatus: statusOf('verification', 'refuted'),
    category: ['environment'],
    code: snomed('111088007', 'Latex'),
    patient: { reference: `Patient/${rosa}` },
  },
  {
    ...active,
    id: 'demo-allergy-4',
    code: snomed('716186003', 'No known allergy'),
    patient: { reference: `Patient/${nils}` },
  },
];

/** They come from the patients' former clinics. */
export const putAllergies = async ({ importer }: AnyClinicalRecords): Promise<void> => {
  await importer.load(allergies);
};
