import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { createHandler, openClinic } from './clinic.ts';

const { records } = await openClinic(createMemoryStore());

test.each([
  ['/fhir/Goal?patient=amy', '/fhir/Goal'],
  ['/fhir/Goal/_search', '/fhir/Goal/_search'],
  ['https://clinic.example/fhir/CareTeam/amy', '/fhir/CareTeam/{id}'],
  ['/fhir/CareTeam/amy/_history', '/fhir/CareTeam/{id}/_history'],
  ['/fhir/CareTeam/amy/_history/3', '/fhir/CareTeam/{id}/_history/{version}'],
  ['/fhir/Patient/amy', '/fhir/Patient/{id}'],
  ['/fhir/metadata?mode=full', '/fhir/metadata'],
  ['/fhir/Amy/amy', undefined],
  ['/amy', undefined],
])('the route of %s is %s, with a token or without', async (url, route) => {
  const handler = createHandler(records, { basePath: '/fhir' });
  for (const authorization of ['Bearer full', '']) {
    expect((await handler({ method: 'GET', url, headers: { authorization } })).route).toBe(route);
  }
});
