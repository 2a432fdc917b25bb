import { createClinicalRecords } from '@clinical-records/core';
import { createHttpHandler } from '@clinical-records/http-adapter';
import { jwtAuthentication } from '@clinical-records/http-adapter/jwt';
import { createMemoryStore } from '@clinical-records/store-memory';

const records = createClinicalRecords({
  store: createMemoryStore(),
  extensionBase: 'https://clinic.example/fhir/extensions',
  careTeamRoles: [],
});

// #region jwt
export const handler = createHttpHandler(records, {
  basePath: '/fhir',
  authenticate: jwtAuthentication({
    issuer: 'https://login.clinic.example',
    audience: 'https://clinic.example/fhir',
    jwks: 'https://login.clinic.example/jwks',
    onRefusal: (reason) => console.warn(reason),
  }),
});
// #endregion
