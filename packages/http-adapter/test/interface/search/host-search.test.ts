import type { AccessEvent } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Authorize, HostResources, HostSearch, Principal } from '../../../src/index.ts';
import { type Clinic, createHandler, createRecords, createSender, openClinic } from '../../clinic.ts';
import { expectError } from '../../response-helpers.ts';

let clinic: Clinic;

beforeAll(async () => {
  clinic = await openClinic(createMemoryStore());
});

const patients = ['Shaw', 'Okoro', 'Shawcross', 'Ågren'].map((family, index) => ({
  resourceType: 'Patient',
  id: ['amy', 'ben', 'cy', 'dee'][index] ?? '',
  name: [{ family }],
}));

/** A host that finds patients by the beginning of their name, and shows only those that it may. */
const find: HostSearch['find'] = (conditions, { count, offset, within }) => {
  const matches = patients.filter(
    ({ id, name: [name] }) =>
      (within === undefined || within.includes(id)) &&
      conditions.every(([, value]) => name?.family.startsWith(value)),
  );
  return { total: matches.length, resources: matches.slice(offset, offset + count) };
};

const parameters = [{ name: 'name', type: 'string', documentation: 'The beginning of the name.' }] as const;

const read: HostResources['read'] = (_, id) => patients.find((patient) => patient.id === id);

const senderFor = (
  { search = { parameters, find } }: { readonly search?: HostSearch },
  principal: Partial<Principal> = {},
  options: object = {},
) =>
  createSender(
    createHandler(clinic.records, {
      authenticate: () => ({ subject: 'Person/x', scopes: 'user/*.rs', ...principal }),
      hostResources: { types: ['Patient', 'Device'], read, searches: { Patient: search } },
      ...options,
    }),
  );

const idsIn = (json: { entry?: { resource: { id: string } }[] }) =>
  (json.entry ?? []).map(({ resource }) => resource.id);

test('a host searches its resources, with a query string or with a form', async () => {
  const send = senderFor({});
  const byQuery = await send('GET', '/Patient?name=Shaw');
  expect(byQuery.json).toEqual({
    resourceType: 'Bundle',
    type: 'searchset',
    total: 2,
    link: ['self', 'first', 'last'].map((relation) => ({
      relation,
      url: 'Patient?name=Shaw&_count=10&_offset=0',
    })),
    entry: [patients[0], patients[2]].map((resource) => ({ resource, search: { mode: 'match' } })),
  });
  const byForm = await send('POST', '/Patient/_search', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'name=Shaw&_count=1',
  });
  expect(byForm.json.total).toBe(2);
  expect(byForm.json.link[0].url).toBe('../Patient?name=Shaw&_count=1&_offset=0');
  expect(idsIn((await send('GET', '/Patient?name=Nobody')).json)).toEqual([]);
});

test('its pages follow one another by their links', async () => {
  const send = senderFor({});
  const seen: string[] = [];
  let next: string | undefined = 'Patient?_count=3';
  while (next !== undefined) {
    const { json } = await send('GET', `/${next}`);
    seen.push(...idsIn(json));
    const links = json.link as readonly { relation: string; url: string }[];
    next = links.find(({ relation }) => relation === 'next')?.url;
  }
  expect(seen).toEqual(['amy', 'ben', 'cy', 'dee']);
});

test.each([
  ['nmae=Shaw', 'http.nmae', 'unknown-parameter'],
  ['name:exact=Shaw', 'http.name', 'modifier'],
  ['name=', 'http.name', 'empty-parameter'],
  ['name=Shaw&_count=', 'http._count', 'empty-parameter'],
  ['name=Shaw&_count=x', 'http._count', 'whole-number'],
  ['_count=1&_count=2', 'http._count', 'repeated-parameter'],
  ['_after=1', 'http._after', 'unknown-parameter'],
])('a search by %s is refused, and the host is not asked', async (query, expression, rule) => {
  const spy = vi.fn(find);
  const { status, json } = await senderFor({ search: { parameters, find: spy } })('GET', `/Patient?${query}`);
  expect([status, json.issue[0].expression, json.issue[0].details.coding[0].code]).toEqual([
    400,
    [expression],
    rule,
  ]);
  expect(spy).not.toHaveBeenCalled();
});

test('a lenient search ignores unknown parameters, and no modifiers or chains', async () => {
  const send = senderFor({});
  const headers = { prefer: 'handling=lenient' };
  expect((await send('GET', '/Patient?nmae=x&name=Okoro', { headers })).json.total).toBe(1);
  for (const name of ['name:exact', 'name.text']) {
    expect((await send('GET', `/Patient?${name}=x`, { headers })).status).toBe(400);
  }
});

test('a lenient search ignores empty parameters beside a condition', async () => {
  const send = senderFor({});
  const headers = { prefer: 'handling=lenient' };
  const { json } = await send('GET', '/Patient?name=&name=Okoro&_count=&_pretty=', { headers });
  expect([json.total, json.link[0].url]).toEqual([1, 'Patient?name=Okoro&_count=10&_offset=0']);
  expect(json.entry.at(-1).resource.issue).toHaveLength(3);
  expectError(await send('GET', '/Patient?name=&_count=1', { headers }), 400, 'http.name');
});

test('a lenient search does not ignore its only condition, and finds everybody if it is sent without one', async () => {
  const send = senderFor({});
  const headers = { prefer: 'handling=lenient' };
  expectError(await send('GET', '/Patient?nmae=Okoro', { headers }), 400, 'http.nmae');
  const { json } = await send('GET', '/Patient?_sort=name&_count=1', { headers });
  expect(json.total).toBe(patients.length);
});

test('it needs a scope, and a `patient/` scope is limited to its patient', async () => {
  expectError(await senderFor({}, { scopes: ['user/Patient.r'] })('GET', '/Patient'), 403);
  const amy = senderFor({}, { scopes: ['patient/*.rs'], patient: 'amy' });
  expect(idsIn((await amy('GET', '/Patient?name=Shaw')).json)).toEqual(['amy']);
});

test('`authorize` limits it, too, and is asked about all charts', async () => {
  const authorize = vi.fn<Authorize>(() => ({ limitTo: ['amy', 'ben'] }));
  const anyone = senderFor({}, {}, { authorize });
  expect(idsIn((await anyone('GET', '/Patient')).json)).toEqual(['amy', 'ben']);
  expect(authorize.mock.calls[0]).toMatchObject([{ interaction: 'search', id: null, patientIds: [] }]);
  const cy = senderFor({}, { scopes: ['patient/*.rs'], patient: 'cy' }, { authorize });
  expect((await cy('GET', '/Patient')).json.total).toBe(0);
});

test.each([
  ['of another chart', patients[1]],
  ['of another type', { resourceType: 'Device', id: 'amy' }],
  ['without a valid id', { resourceType: 'Patient', id: 'a b' }],
])('a resource %s is never shown', async (_, resource) => {
  const onError = vi.fn();
  const search = {
    parameters,
    find: () => ({ total: 1, resources: [resource as { resourceType: string }] }),
  };
  const send = senderFor({ search }, { scopes: ['patient/*.rs'], patient: 'amy' }, { onError });
  expectError(await send('GET', '/Patient'), 500);
  expect(onError.mock.calls[0]?.[0].message).toMatch(/Patient.find\(\) returned a resource/);
});

test('more values than a search for records may have are a 400, and the host is not asked', async () => {
  const asked = vi.fn(find);
  const send = senderFor({ search: { parameters, find: asked } });
  const words = Array.from({ length: 500 }, () => 'Shaw').join();
  expect((await send('GET', `/Patient?name=${words}`)).status).toBe(200);
  expect((await send('GET', `/Patient?${'name=Shaw&'.repeat(20)}_count=5&_offset=0`)).status).toBe(200);
  asked.mockClear();
  for (const query of [`name=${words},Shaw`, `name=${words}&name=Shaw`, 'name=Shaw&'.repeat(21)]) {
    const { status, json } = await send('GET', `/Patient?${query}`);
    expect([status, json.issue[0].details.coding[0].code]).toEqual([400, 'too-many-values']);
  }
  expect(asked).not.toHaveBeenCalled();
});

test('an access names the patients who were shown', async () => {
  const events: AccessEvent[] = [];
  const records = createRecords(clinic.store, { onAccess: async (event) => void events.push(event) });
  const hostResources = { types: ['Patient'], read, searches: { Patient: { parameters, find } } };
  await createSender(createHandler(records, { hostResources }))('GET', '/Patient?name=Shaw');
  expect(events).toMatchObject([
    { interaction: 'search', resourceType: 'Patient', query: 'name=Shaw', patientIds: ['amy', 'cy'] },
  ]);
});

test.each<readonly [path: string, principal: Partial<Principal>, patientIds: readonly string[]]>([
  ['/Device?patient=amy', {}, ['amy']],
  ['/Device?subject=Patient/amy,Patient/ben,Group/7', {}, ['amy', 'ben']],
  ['/Device?name=amy', {}, []],
  ['/Device', { scopes: ['patient/*.rs'], patient: 'amy' }, ['amy']],
  ['/Device?patient=ben', { scopes: ['patient/*.rs'], patient: 'amy' }, []],
  ['/Patient?_id=ben', {}, ['ben']],
])(
  'an access by %s, as %j, names the patients %j, although nothing was found',
  async (path, principal, expected) => {
    const events: AccessEvent[] = [];
    const records = createRecords(clinic.store, { onAccess: async (event) => void events.push(event) });
    const named = ['patient', 'subject', 'name', '_id'].map((name) => ({ ...parameters[0], name }));
    const search: HostSearch = { parameters: named, find: () => ({ total: 0, resources: [] }) };
    const handler = createHandler(records, {
      authenticate: () => ({ subject: 'Person/x', scopes: 'user/*.rs', ...principal }),
      hostResources: { types: ['Patient', 'Device'], read, searches: { Patient: search, Device: search } },
    });
    await createSender(handler)('GET', path);
    expect(events).toMatchObject([{ interaction: 'search', outcome: 'success', patientIds: expected }]);
  },
);

test('the descriptions list the search', async () => {
  const send = senderFor({});
  const { json: metadata } = await send('GET', '/metadata');
  const described = (type: string) =>
    metadata.rest[0].resource.find((one: { type: string }) => one.type === type);
  expect(described('Patient')).toMatchObject({
    interaction: [{ code: 'read' }, { code: 'search-type' }],
    searchParam: parameters,
  });
  expect(described('Device')).toEqual({ type: 'Device', interaction: [{ code: 'read' }] });
  const { json: openApi } = await send('GET', '/openapi.json');
  const names = openApi.paths['/Patient'].get.parameters.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['name', '_count', '_offset', 'Prefer']);
  expect(openApi.paths).toHaveProperty(['/Patient/_search', 'post']);
  expect(openApi.paths).not.toHaveProperty(['/Device']);
});

test.each([
  [{ Goal: { parameters, find } }, 'hostResources.searches.Goal is not one of the types.'],
  [{ Patient: { parameters } }, 'hostResources.searches.Patient.find must be a function.'],
  [
    { Patient: { parameters: [{ name: '_count' }], find } },
    'hostResources.searches.Patient.parameters must have names such as birthdate.',
  ],
])('a wrong search is refused at the start: %o', (searches, message) => {
  const hostResources = { types: ['Patient'], read, searches } as unknown as HostResources;
  expect(() => createHandler(clinic.records, { hostResources })).toThrow(message);
});
