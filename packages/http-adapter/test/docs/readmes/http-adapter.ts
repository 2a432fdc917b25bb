// #region server
import { createServer } from 'node:http';
import { createClinicalRecords } from '@clinical-records/core';
import { createHttpHandler, toNodeListener } from '@clinical-records/http-adapter';
import { createMemoryStore } from '@clinical-records/store-memory';

const records = createClinicalRecords({
  store: createMemoryStore(),
  extensionBase: 'https://clinic.example/fhir/extensions',
  careTeamRoles: [],
});

const handler = createHttpHandler(records, {
  basePath: '/fhir',
  authenticate: (token) =>
    token === process.env.TOKEN ? { subject: 'Person/me', scopes: ['user/*.*'] } : null,
});
export const server = createServer(toNodeListener(handler));
// #endregion
