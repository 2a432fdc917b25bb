import { servedTypes } from '@clinical-records/core/adapter';
import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeEach, describe, expect, test } from 'vitest';
import { createReferencedResources } from '../../src/host/references.ts';
import { createRoutes, toServedRecords } from '../../src/routes/routes.ts';
import { oneCommandOfEach } from '../builders.ts';
import { type Clinic, createHandler, extensionBase, openClinic } from '../clinic.ts';
import { cursorOf } from '../response-helpers.ts';
import { type Document, fetchDocument, openApiValidator } from './openapi-document.ts';

let clinic: Clinic;
let document: Document;

beforeEach(async () => {
  clinic = await openClinic(createMemoryStore());
  document = await fetchDocument(clinic);
});

test('the description is a valid document of OpenAPI 3.1', async () => {
  expect(await openApiValidator.validate({ ...document })).toEqual({ valid: true });
  expect(openApiValidator.version).toBe('3.1');
});

test('a description that the host changes does not change the next one', () => {
  const describeAgain = () => clinic.records.describe();
  const before = structuredClone(describeAgain());
  Object.assign(describeAgain().resources.Goal.resource, { properties: {} });
  expect(describeAgain()).toEqual(before);
});

const idIn = (type: string) => (type === 'Provenance' ? 'G-amy-1' : 'amy');

test('every described route is served, and every served route is described', async () => {
  for (const command of oneCommandOfEach({ id: 'amy' })) await clinic.record(command);
  const agreed: string[] = [];
  const served = toServedRecords(clinic.records);
  const routes = createRoutes(served, createReferencedResources(served));
  for (const type of new Set(routes.map((route) => route.type))) {
    for (const [template, path] of [
      [`/${type}`, `/${type}`],
      [`/${type}/{id}`, `/${type}/${idIn(type)}`],
      [`/Patient/{id}/${type}`, `/Patient/amy/${type}`],
      [`/${type}/_search`, `/${type}/_search`],
      [`/${type}/{id}/_history`, `/${type}/${idIn(type)}/_history`],
      [`/${type}/$validate`, `/${type}/$validate`],
      [`/${type}/{id}/$validate`, `/${type}/${idIn(type)}/$validate`],
      [`/${type}/{id}/$everything`, `/${type}/${idIn(type)}/$everything`],
      [`/${type}/{id}/_history/{version}`, `/${type}/${idIn(type)}/_history/1`],
    ] as const) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const { status, headers, json } = await clinic.send(
          method,
          path,
          method === 'GET' ? {} : { body: '{}' },
        );
        const isPath = json?.issue?.[0].details.coding[0].code !== 'unknown-path';
        const isServed = isPath && (status !== 405 || headers.allow?.split(', ').includes(method) === true);
        const isDescribed = document.paths[template]?.[method.toLowerCase()] !== undefined;
        expect([method, template, isDescribed]).toEqual([method, template, isServed]);
        if (isDescribed) agreed.push(`${method} ${template}`);
      }
    }
  }
  expect(agreed).toHaveLength(routes.length);
  expect(Object.values(document.paths).flatMap((methods) => Object.keys(methods))).toHaveLength(
    agreed.length,
  );
});

describe('a search accepts the described parameters, and no others', () => {
  const values: Readonly<Record<string, string>> = {
    authored: 'ge2024-01',
    status: 'entered-in-error',
    'lifecycle-status': 'active',
    'target-date': 'ge2024',
    date: 'ge2024',
    occurrence: 'ge2024',
    'start-date': 'ge2024',
    intent: 'order',
    priority: 'stat',
    'achievement-status': 'achieved',
    _lastUpdated: 'ge2024',
    participant: 'Practitioner/ada',
    target: 'Goal/amy',
    _revinclude: 'Provenance:target',
    _summary: 'true',
    _elements: 'status',
    _total: 'none',
    _sort: '_lastUpdated',
    _count: '1',
    _offset: '1',
  };

  test.each(servedTypes)('%s', async (type) => {
    for (const command of oneCommandOfEach({ id: 'amy' })) await clinic.record(command);
    const after = cursorOf(idIn(type));
    const send = (name: string) => {
      const required = type === 'Provenance' ? 'target=Goal/amy&' : '';
      const value = { _after: after, _include: `${type}:patient` }[name] ?? values[name] ?? 'x';
      return clinic.get(`/${type}?${required}${name}=${value}`);
    };
    const parameters = document.paths[`/${type}`]?.get?.parameters.filter((one) => one.in === 'query') ?? [];
    expect(parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(['_count']));
    for (const { name } of parameters) {
      expect([name, (await send(name)).status]).toEqual([name, 200]);
    }
    const known = parameters.map(({ name }) => name);
    for (const name of ['_id', 'authored', 'status', 'category', 'code', 'participant', '_sort']) {
      const { status } = await send(name);
      expect([name, status]).toEqual([name, known.includes(name) ? 200 : 400]);
    }
  });
});

test('the description is read without a token, only by GET and HEAD', async () => {
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await clinic.send(method, '/openapi.json?x=1', { token: null });
    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
  }
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const { status, headers, json } = await clinic.send(method, '/openapi.json', { token: null });
    expect([status, headers.allow, json.resourceType]).toEqual([405, 'GET, HEAD', 'OperationOutcome']);
  }
  expect((await clinic.get('/openapi.json/x', { token: null })).status).toBe(401);
});

test.each([
  ['', '/'],
  ['/clinics/1', '/clinics/1'],
])('the description has the base path as its server: "%s"', async (basePath, url) => {
  const handler = createHandler(clinic.records, { basePath });
  const { body } = await handler({ method: 'GET', url: `http://host${basePath}/openapi.json`, headers: {} });
  expect(JSON.parse(body).servers).toEqual([{ url }]);
});

test('the description has the base URL as its server, if the host gives one', async () => {
  const handler = createHandler(clinic.records, { baseUrl: 'https://clinic.example/r4' });
  const { body } = await handler({ method: 'GET', url: '/fhir/openapi.json', headers: {} });
  expect(JSON.parse(body).servers).toEqual([{ url: 'https://clinic.example/r4' }]);
});

test('the description names the extensions of the host', () => {
  const text = JSON.stringify(document.components.schemas);
  expect(text).toContain(`"${extensionBase}/careteam-lead"`);
  expect(text).toContain(`"${extensionBase}/note-id"`);
});
