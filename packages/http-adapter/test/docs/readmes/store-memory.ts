import { createClinicalRecords } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';

export const records = createClinicalRecords({
  store: createMemoryStore(),
  extensionBase: 'https://clinic.example/fhir/extensions',
  careTeamRoles: [],
});
