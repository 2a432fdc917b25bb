import type { AccessEvent } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { right } from 'fp-ts/lib/Either.js';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Authorize, HostResources, Principal } from '../../../src/index.ts';
import { type Clinic, createHandler, createRecords, createSender, openClinic } from '../../clinic.ts';
import { openApiValidator } from '../../documents/openapi-document.ts';
import { expectError, idsOf, linkOf } from '../../response-helpers.ts';

let clinic: Clinic;

/** The directory knows these patients, and the host all but the last one. */
const people = [
  { id: 'eve', lastName: 'Zola', firstName: 'Eve', gender: 'female', birthDate: '1990-01-01' },
  { id: 'fay', lastName: 'Zola', firstName: 'Fay', birthDate: '1970-01-01' },
  { id: 'gil', lastName: 'Zolander', firstName: 'Gil', gender: 'male' },
  { id: 'hal', lastName: 'Zola', firstName: 'Hal', gender: 'male', birthDate: '1980-01-01' },
] as const;

beforeAll(async () => {
  clinic = await openClinic(createMemoryStore());
  for (const person of people) await clinic.records.directory.put('Patient', person);
});

const ofHost = (id: string) => ({
  resourceType: 'Patient',
  id,
  telecom: [{ system: 'phone', value: `555-${id}` }],
});

const hostResources: HostResources = {
  types: ['Patient', 'Practitioner'],
  read: (type, id) => (type === 'Patient' && id !== 'hal' ? ofHost(id) : null),
  searches: { Patient: 'directory' },
};

const senderFor = (principal: Partial<Principal> = {}, options: object = {}, records = clinic.records) =>
  createSender(
    createHandler(records, {
      authenticate: () => ({ subject: 'Person/x', scopes: 'user/*.rs', ...principal }),
      hostResources,
      ...options,
    }),
  );

describe("With `searches: { Patient: 'directory' }`, the directory finds patients, and the host shows them", () => {
  test('as they are read', async () => {
    const send = senderFor();
    const { json } = await send('GET', '/Patient?name=eve');
    expect(json).toEqual({
      resourceType: 'Bundle',
      type: 'searchset',
      total: 1,
      link: ['self', 'first', 'last'].map((relation) => ({
        relation,
        url: 'Patient?name=eve&_count=10&_offset=0',
      })),
      entry: [{ resource: ofHost('eve'), search: { mode: 'match' } }],
    });
    expect((await send('GET', '/Patient/eve')).json).toEqual(ofHost('eve'));
  });

  test.each([
    ['name=zola&gender:not=male', ['eve', 'fay']],
    ['name=zola&birthdate:missing=true', ['gil']],
    ['name=zola&birthdate:missing=false&_sort=birthdate', ['fay', 'eve']],
    ['name=zola&_sort=-_id', ['gil', 'fay', 'eve']],
    ['name=zola&birthdate=ge1980', ['eve']],
  ])('by all parameters of the directory: %s', async (query, ids) => {
    expect(idsOf(await senderFor()('GET', `/Patient?${query}`))).toEqual(ids);
    const form = await senderFor()('POST', '/Patient/_search', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: query,
    });
    expect(idsOf(form)).toEqual(ids);
  });

  test('page by page', async () => {
    const found: string[] = [];
    for (let next: string | undefined = 'Patient?name=zola&_count=1&_sort=_id'; next !== undefined; ) {
      const page = await senderFor()('GET', `/${next}`);
      expect(page.json.total).toBe(4);
      found.push(...idsOf(page));
      next = linkOf(page, 'next');
    }
    // The host does not have the last one.
    expect(found).toEqual(['eve', 'fay', 'gil']);
  });

  test('with fewer elements', async () => {
    const { json } = await senderFor()('GET', '/Patient?_id=eve&_elements=telecom');
    expect(json.entry[0].resource).toMatchObject({
      ...ofHost('eve'),
      meta: { tag: [{ code: 'SUBSETTED' }] },
    });
    expect((await senderFor()('GET', '/Patient?name=zola&_summary=count')).json.total).toBe(4);
  });

  test('refused: parameters that the directory does not have', async () => {
    for (const [name, status] of [
      ['phone', 400],
      ['name:exact', 400],
      ['_sort', 400],
    ] as const)
      expect((await senderFor()('GET', `/Patient?${name}=phone`)).status).toBe(status);
    expectError(await senderFor()('GET', '/Practitioner?name=ada'), 405);
  });

  test('within the scopes of the sender, and as far as `authorize` allows it', async () => {
    expect(idsOf(await senderFor({ scopes: 'user/Patient.s' })('GET', '/Patient?name=eve'))).toEqual(['eve']);
    expectError(await senderFor({ scopes: 'user/Patient.r' })('GET', '/Patient?name=eve'), 403);
    const fay = senderFor({ scopes: 'patient/*.rs', patient: 'fay' });
    const own = await fay('GET', '/Patient?name=zola');
    expect([idsOf(own), own.json.total]).toEqual([['fay'], 1]);
    expectError(await fay('GET', '/Patient?_id=eve'), 403);
    const authorize: Authorize = () => ({ limitTo: ['eve', 'gil'] });
    const allowed = await senderFor({}, { authorize })('GET', '/Patient?name=zola');
    expect([idsOf(allowed), allowed.json.total]).toEqual([['eve', 'gil'], 2]);
  });

  test('and an access names those who were shown', async () => {
    const events: AccessEvent[] = [];
    const records = createRecords(clinic.store, { onAccess: async (event) => void events.push(event) });
    await senderFor({}, {}, records)('GET', '/Patient?name=zola');
    expect(events).toMatchObject([{ resourceType: 'Patient', patientIds: ['eve', 'fay', 'gil'] }]);
  });

  test('and the descriptions list the parameters, but no profile of resources that only the host knows', async () => {
    const send = senderFor();
    const { json: metadata } = await send('GET', '/metadata');
    const patient = metadata.rest[0].resource.find(({ type }: { type: string }) => type === 'Patient');
    expect(patient.searchParam.map(({ name }: { name: string }) => name)).toContain('birthdate');
    expect(patient).not.toHaveProperty('supportedProfile');
    const { json: document } = await send('GET', '/openapi.json');
    const names = document.paths['/Patient'].get.parameters.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['gender', '_sort', '_after']));
    expect(await openApiValidator.validate(document)).toEqual({ valid: true });
  });
});

test('the directory does not find other types', () => {
  const searches = { Patient: 'directory', Device: 'directory' } as const;
  const create = () =>
    createHandler(clinic.records, {
      hostResources: { ...hostResources, types: ['Patient', 'Device'], searches },
    });
  expect(create).toThrow(
    "hostResources.searches.Device cannot be 'directory', which finds only Patient, Practitioner, Organization.",
  );
});

test('from TypeScript, `readReferenced` shows the matches of the directory', async () => {
  const bundle = await clinic.records.directory.asJson.search(
    'Patient',
    { _id: 'fay' },
    { readReferenced: async (_, id) => right(JSON.stringify(ofHost(id))) },
  );
  expect(JSON.parse(bundle).entry).toEqual([{ resource: ofHost('fay'), search: { mode: 'match' } }]);
});
