import { createClinicalRecords } from '@clinical-records/core';
import { createHttpHandler } from '@clinical-records/http-adapter';
import { openSqliteStore } from '@clinical-records/store-sqlite';

const records = createClinicalRecords({
  store: openSqliteStore({ filename: ':memory:' }),
  extensionBase: 'https://clinic.example/fhir/extensions',
  careTeamRoles: [],
});
await records.directory.put('Patient', { id: '7', lastName: 'Shaw', firstName: 'Amy' });

export const handler = createHttpHandler(records, {
  basePath: '/fhir',
  authenticate: (token) => (token === 'ada' ? { subject: 'Practitioner/12', scopes: ['user/*.read'] } : null),
});
