import { expect, test } from 'vitest';
import { createHandler } from '../../clinic.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('Decisions: Status codes', (clinic) => {
  test.each([
    '/Condition/7',
    '/Patient/amy/Observation',
    '/Condition/$lookup',
    '/Condition/7/_history',
    '/Goal/7/8',
    '/Goal/7/_history/0',
    '/Goal/$a/$b',
    '/Goal/%zz',
    '/Goal/',
    '/goal/_history',
    '/_history/7',
    '/Command',
    '/commands/$a',
  ])('a path that does not exist: %s', async (path) => {
    const { status, json } = await clinic().get(path);
    expect([status, json.issue]).toEqual([
      404,
      [
        {
          severity: 'error',
          code: 'not-found',
          details: {
            coding: [{ system: 'urn:clinical-records:issue-rule', code: 'unknown-path' }],
            text: 'Unknown resource',
          },
          diagnostics: 'There is no resource at this path.',
        },
      ],
    ]);
  });

  test.each([
    '/Immunization/_history',
    '/Immunization/$expand',
    '/Immunization/%24expand',
    '/Goal/7/$validate',
    '/Goal/_id',
    '/Goal/7/$everything',
    '/Patient/amy/_history',
    '/Patient/amy/_history/1',
    '/Practitioner/ada/Goal',
    '/Encounter',
    '/Encounter/_search',
    '/Provenance/G-7-1/_history',
    '/_history',
    '/_search?_type=Goal',
    '/$export',
    '/Patient/$export',
    '/',
    '',
  ])('an interaction of FHIR that the interface does not have: %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, headers, json } = await clinic().send(method, path, { body: {} });
      expect([status, headers.allow, json.issue]).toEqual([
        405,
        '',
        [
          {
            severity: 'error',
            code: 'not-supported',
            details: {
              coding: [{ system: 'urn:clinical-records:issue-rule', code: 'unsupported-interaction' }],
              text: 'Operation is not supported',
            },
            diagnostics:
              'The interface does not support this interaction. `/metadata` lists those that it does.',
          },
        ],
      ]);
    }
    expect((await clinic().get(path, { token: null })).status).toBe(401);
  });

  test.each(['/oops/CareTeam', '/fhir-CareTeam', '/CareTeam', ''])(
    'or beside the base path: %j',
    async (url) => {
      const handler = createHandler(clinic().records, { basePath: '/fhir' });
      const headers = { authorization: 'Bearer full' };
      expect((await handler({ method: 'GET', url, headers })).status).toBe(404);
    },
  );

  test.each(['fhir', '/fhir/', '/', '//', '/fhir?x', '/a b', 'http://host/fhir'])(
    'a base path under which no path could exist throws at once: %j',
    (basePath) => {
      const create = () => createHandler(clinic().records, { basePath });
      expect(create).toThrow('basePath must be a path such as /fhir');
    },
  );

  test.each([
    '',
    '/fhir',
    'clinic.example/fhir',
    'ftp://clinic.example',
    'https://',
    'https://clinic.example/fhir?x=1',
  ])('the base path %j is refused', (baseUrl) => {
    const create = () => createHandler(clinic().records, { baseUrl });
    expect(create).toThrow('baseUrl must be a URL such as https://clinic.example/fhir');
  });

  test.each(['', '/fhir', '/clinics/1/r4', '/a%20b'])(
    'the base path of %s/Goal is accepted',
    async (basePath) => {
      const handler = createHandler(clinic().records, { basePath });
      const headers = { authorization: 'Bearer full' };
      expect((await handler({ method: 'GET', url: `${basePath}/Goal`, headers })).status).toBe(200);
    },
  );
});
