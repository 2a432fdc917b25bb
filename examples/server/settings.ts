import type { CareTeamRole } from '@clinical-records/core';
import { allergy } from '@clinical-records/example-conditions/allergy';

/** The namespace of the interface's two extensions. */
export const extensionBase = 'https://clinical-records.example/extensions';

/** The types of resources that the clinic has beside those of the library: its chart page shows them. */
export const types = [allergy] as const;

const snomed = (code: string, display: string): CareTeamRole => ({
  system: 'http://snomed.info/sct',
  code,
  display,
});

/** Occupations of SNOMED CT, among them those of US Core's Care Team Member Function. */
export const roles = {
  primaryCareProvider: snomed('453231000124104', 'Primary care provider'),
  primaryCarePhysician: snomed('446050000', 'Primary care physician'),
  cardiologist: snomed('17561000', 'Cardiologist'),
  nurse: snomed('224535009', 'Registered nurse'),
  nursePractitioner: snomed('224571005', 'Nurse practitioner'),
  dietitian: snomed('159033005', 'Dietitian'),
  physiotherapist: snomed('36682004', 'Physiotherapist'),
  pharmacist: snomed('46255001', 'Pharmacist'),
  psychiatrist: snomed('80584001', 'Psychiatrist'),
  socialWorker: snomed('106328005', 'Social worker'),
  careCoordinator: snomed('768820003', 'Care coordinator'),
} as const;

export const careTeamRoles: readonly CareTeamRole[] = Object.values(roles);
