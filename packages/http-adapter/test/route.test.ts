import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { createHandler, openClinic } from './clinic.ts';

const { records } = await openClinic(createMemoryStore());
const handler = createHandler(records, {
  ...{ basePath: '/fhir', baseUrl: 'https://clinic.example/fhir', events: { signal: AbortSignal.abort() } },
  bulkExport: { files: { write: async () => {}, read: async () => null, remove: async () => {} } },
});

test.each([
  ['/fhir/Goal?patient=amy', '/fhir/Goal'],
  ['/fhir/Goal/_search', '/fhir/Goal/_search'],
  ['https://clinic.example/fhir/CareTeam/amy', '/fhir/CareTeam/{id}'],
  ['/fhir/CareTeam/amy/_history', '/fhir/CareTeam/{id}/_history'],
  ['/fhir/CareTeam/amy/_history/3', '/fhir/CareTeam/{id}/_history/{version}'],
  ['/fhir/Patient/amy', '/fhir/Patient/{id}'],
  ['/fhir/Patient/amy/$everything', '/fhir/Patient/{id}/$everything'],
  ['/fhir/metadata?mode=full', '/fhir/metadata'],
  ['/fhir/events?patient=amy', '/fhir/events'],
  ['/fhir/$export', '/fhir/$export'],
  ['/fhir/%24export', '/fhir/$export'],
  ['/fhir/Patient/$export?_type=Goal', '/fhir/Patient/$export'],
  ['/fhir/$export/5f0c', '/fhir/$export/{export}'],
  ['/fhir/$export/5f0c/Goal.1.ndjson', '/fhir/$export/{export}/{file}'],
  ['/fhir/$export/5f0c/$export', undefined],
  ['/fhir/Amy/amy', undefined],
  ['/amy', undefined],
])('the route of %s is %s, with a token or without', async (url, route) => {
  for (const authorization of ['Bearer full', '']) {
    expect((await handler({ method: 'GET', url, headers: { authorization } })).route).toBe(route);
  }
});
