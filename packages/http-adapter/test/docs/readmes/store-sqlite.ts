import { createClinicalRecords } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';

export const records = createClinicalRecords({
  store: openSqliteStore({ filename: 'clinic.db' }),
  extensionBase: 'https://clinic.example/fhir/extensions',
  careTeamRoles: [],
});
