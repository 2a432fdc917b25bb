import {
  type DirectorySearchType,
  resourceTypes,
  type ServedType,
  servedTypes,
} from '@clinical-records/core/adapter';
import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeEach, describe, expect, test } from 'vitest';
import { oneCommandOfEach, statement } from '../builders.ts';
import { type Clinic, createHandler, createSender, openClinic } from '../clinic.ts';

type Capability = {
  readonly type: string;
  readonly supportedProfile: readonly string[];
  readonly interaction: readonly { readonly code: string }[];
  readonly searchParam: readonly { readonly name: string; readonly type: string }[];
  readonly [element: string]: unknown;
};

type Options = Parameters<typeof createHandler>[1];

/** The types that the directory answers if the host does not. */
const directoryTypes = ['Patient', 'Practitioner', 'Organization', 'Encounter'];

let clinic: Clinic;

const sendWith = (options: Options) => createSender(createHandler(clinic.records, options));

const fetchStatement = async (options: Options = {}) =>
  (await sendWith(options)('GET', '/metadata', { token: null })).json;

beforeEach(async () => {
  clinic = await openClinic(createMemoryStore());
  for (const command of oneCommandOfEach({ id: 'amy' })) await clinic.record(command);
});

test('the capability statement is read without a token, as JSON or as FHIR, only by GET and HEAD', async () => {
  for (const method of ['GET', 'HEAD']) {
    for (const accept of ['application/json', 'application/fhir+json']) {
      const { status, headers } = await clinic.send(method, '/metadata?mode=full', {
        token: null,
        headers: { accept },
      });
      expect([status, headers['content-type']]).toEqual([200, accept]);
    }
  }
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const { status, headers } = await clinic.send(method, '/metadata', { token: null });
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  }
});

test('it says which types can be validated: those that bodies write', async () => {
  const { rest } = await fetchStatement();
  const operations = rest[0].resource.map(({ type, operation }: Capability) => [type, operation]);
  const validate = [
    { name: 'validate', definition: 'http://hl7.org/fhir/OperationDefinition/Resource-validate' },
  ];
  expect(new Map(operations)).toEqual(
    new Map([...operations, ['CareTeam', validate], ['Immunization', validate], ['Goal', undefined]]),
  );
});

test('it says what FHIR requires of the statement of a running server', async () => {
  const { date, software, rest, ...elements } = await fetchStatement();
  expect(elements).toEqual({
    resourceType: 'CapabilityStatement',
    status: 'active',
    kind: 'instance',
    implementation: { description: expect.stringMatching(/\S/) },
    fhirVersion: '4.0.1',
    format: ['json'],
  });
  expect(new Date(date).toISOString()).toBe(date);
  expect(software).toEqual({ name: '@clinical-records/http-adapter', version: expect.any(String) });
  expect(rest).toMatchObject([{ mode: 'server', security: { cors: false } }]);
  expect(rest[0].resource.map(({ type }: Capability) => type)).toEqual([...servedTypes, ...directoryTypes]);
});

test("with the host's baseUrl, it has the URL of the implementation", async () => {
  const { implementation } = await fetchStatement({ baseUrl: 'https://clinic.example/r4' });
  expect(implementation.url).toBe('https://clinic.example/r4');
});

describe('every interaction that it declares is served, and no other', () => {
  const json = { body: '{}' };
  const idIn = (type: string) => (type === 'Provenance' ? 'C-amy-1' : 'amy');
  /** For each interaction of FHIR, a request that succeeds or fails only by its body if the interaction is served. */
  const requests: Readonly<Record<string, (type: string) => Parameters<Clinic['send']>>> = {
    read: (type) => ['GET', `/${type}/${idIn(type)}`],
    vread: (type) => ['GET', `/${type}/${idIn(type)}/_history/1`],
    'history-instance': (type) => ['GET', `/${type}/${idIn(type)}/_history`],
    'history-type': (type) => ['GET', `/${type}/_history`],
    'search-type': (type) => [
      'GET',
      type === 'Provenance' ? '/Provenance?target=Goal/amy' : `/${type}?patient=amy`,
    ],
    create: (type) => ['POST', `/${type}`, json],
    update: (type) => ['PUT', `/${type}/${idIn(type)}`, json],
    patch: (type) => ['PATCH', `/${type}/${idIn(type)}`, json],
    delete: (type) => ['DELETE', `/${type}/${idIn(type)}`],
  };
  test.each<ServedType | (typeof directoryTypes)[number]>([...servedTypes, ...directoryTypes])(
    '%s',
    async (type) => {
      const { directory } = clinic.records;
      await directory.put('Practitioner', { id: 'amy', lastName: 'Shaw' });
      await directory.put('Organization', { id: 'amy', name: 'Shaw Ltd' });
      await directory.put('Encounter', { id: 'amy', patientId: 'amy' });
      const { rest } = await fetchStatement();
      const capability: Capability = rest[0].resource.find((one: Capability) => one.type === type);
      const declared = capability.interaction.map(({ code }) => code);
      const served: string[] = [];
      for (const [code, request] of Object.entries(requests)) {
        const { status } = await clinic.send(...request(type));
        // A body that is refused was read.
        if ([200, 400].includes(status)) served.push(code);
      }
      expect(declared.toSorted()).toEqual(served.toSorted());
    },
  );
  test('of the whole system', async () => {
    const { rest } = await fetchStatement();
    expect(Object.keys(rest[0])).toEqual(['mode', 'security', 'resource']);
    for (const path of ['/_history', '/', '/?_type=Goal']) {
      expect((await clinic.get(path)).status).toBe(405);
      expect((await clinic.post(path, {})).status).toBe(405);
    }
  });
});

describe('every search parameter that it declares is served, in a URL and in a form, and no other', () => {
  /** The search parameters of FHIR R4 and US Core for these types, each with a value. */
  const values: Readonly<Record<string, string>> = {
    ...Object.fromEntries(
      [
        ...['_id', '_lastUpdated', '_profile', '_tag', '_security', '_source', '_has', '_list', '_text'],
        ...['achievement-status', 'authored', 'based-on', 'body-site', 'category', 'code', 'date'],
        ...['description', 'encounter', 'identifier', 'intent', 'lifecycle-status', 'location', 'lot-number'],
        ...['manufacturer', 'occurrence', 'participant', 'patient', 'performer', 'performer-type'],
        ...['priority', 'reaction', 'reaction-date', 'reason-code', 'reason-reference', 'replaces'],
        ...['requester', 'requisition', 'role', 'series', 'specimen', 'start-date', 'status'],
        ...['status-reason', 'subject', 'target-date', 'target-disease', 'vaccine-code'],
        ...['agent', 'agent-role', 'agent-type', 'entity', 'recorded', 'signature-type', 'when'],
      ].map((name) => [name, 'x']),
    ),
    ...{ authored: 'ge2024', date: 'ge2024', 'target-date': 'ge2024', _lastUpdated: 'ge2024' },
    ...{ status: 'entered-in-error', 'lifecycle-status': 'active', participant: 'Practitioner/ada' },
    ...{ occurrence: 'ge2024', 'start-date': 'ge2024', intent: 'order', priority: 'stat' },
    ...{ 'achievement-status': 'achieved', target: 'Goal/amy' },
  };
  test.each(servedTypes)('%s', async (type) => {
    const { rest } = await fetchStatement();
    const { searchParam }: Capability = rest[0].resource.find((one: Capability) => one.type === type);
    const served: string[] = [];
    for (const [name, value] of Object.entries(values)) {
      const found = await clinic.get(`/${type}?${name}=${value}`);
      const posted = await clinic.post(`/${type}/_search`, `${name}=${value}`);
      expect([name, posted.status]).toEqual([name, found.status]);
      if (found.status === 200) served.push(name);
    }
    expect(searchParam.map(({ name }) => name).toSorted()).toEqual(served.toSorted());
    const reference = type === 'Provenance' ? 'target' : 'patient';
    expect(searchParam.find(({ name }) => name === reference)?.type).toBe('reference');
  });
});

test('every resource that it includes in a search is included, and an include that it does not declare is a 400', async () => {
  const { rest } = await fetchStatement();
  for (const { type, searchInclude } of rest[0].resource.slice(0, resourceTypes.length)) {
    expect(searchInclude).toContain(`${type}:patient`);
    for (const value of searchInclude) {
      const found = await clinic.get(`/${type}?_include=${value}`);
      expect([value, found.status, found.json.entry[0].search.mode]).toEqual([value, 200, 'match']);
    }
    const { status, json } = await clinic.get(`/${type}?_include=${type}:based-on`);
    expect([status, json.issue[0].expression]).toEqual([400, ['http._include']]);
    expect(json.issue[0].diagnostics).toContain(searchInclude.join(', '));
  }
});

test('every reverse include that it declares is served', async () => {
  const { rest } = await fetchStatement();
  for (const { type, searchRevInclude } of rest[0].resource.slice(0, resourceTypes.length)) {
    expect(searchRevInclude).toEqual(['Provenance:target']);
    const { status, json } = await clinic.get(`/${type}?patient=amy&_revinclude=Provenance:target`);
    expect([status, json.entry.at(-1).search.mode]).toEqual([200, 'include']);
  }
});

test('what it says of conditions and versions is true', async () => {
  const { rest } = await fetchStatement();
  for (const capability of rest[0].resource.slice(0, servedTypes.length) as readonly Capability[]) {
    expect(capability).toMatchObject({
      ...{ versioning: 'versioned', updateCreate: false },
      conditionalCreate: capability.type === 'Immunization',
      ...{ conditionalRead: 'not-match', conditionalUpdate: false, conditionalDelete: 'not-supported' },
    });
    const codes = capability.interaction.map(({ code }) => code);
    expect(capability.readHistory).toBe(codes.includes('vread'));
    expect(capability.supportedProfile).toEqual([
      `http://hl7.org/fhir/us/core/StructureDefinition/us-core-${capability.type.toLowerCase()}`,
    ]);
  }
  const known = { headers: { 'if-none-match': '*' } };
  expect((await clinic.get('/Goal/amy', known)).status).toBe(304);
  const later = { headers: { 'if-modified-since': 'Fri, 01 Mar 2030 08:00:00 GMT' } };
  expect((await clinic.get('/Goal/amy', later)).status).toBe(200);
  const identifier = [{ system: 'urn:x', value: '1' }];
  const condition = { headers: { 'if-none-exist': 'identifier=urn:x|1' } };
  for (const status of [201, 200]) {
    const created = await clinic.post('/Immunization', statement({ identifier }), condition);
    expect(created.status).toBe(status);
  }
  expect((await clinic.put('/CareTeam/nobody', { id: 'nobody' })).status).toBe(404);
  expect((await clinic.put('/CareTeam?patient=amy', { id: 'amy' })).status).toBe(405);
});

describe('what the host serves beside it', () => {
  const condition = { type: 'Condition', interaction: [{ code: 'read' }, { code: 'search-type' }] };
  const profile = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-patient';
  test('is added to the statement, with other elements', async () => {
    const instantiates = ['http://hl7.org/fhir/us/core/CapabilityStatement/us-core-server'];
    const statement = await fetchStatement({ capabilities: { instantiates, resource: [condition] } });
    expect([statement.instantiates, 'resource' in statement]).toEqual([instantiates, false]);
    expect(statement.rest[0].resource.at(-1)).toEqual(condition);
    expect(statement.rest[0].resource).toHaveLength(servedTypes.length + directoryTypes.length + 1);
  });
  test('is added to what is read here of a type, which is listed once', async () => {
    const hostResources = { types: ['Patient', 'Condition'], read: () => null };
    const everything = {
      name: 'everything',
      definition: 'http://hl7.org/fhir/OperationDefinition/Patient-everything',
    };
    const match = { name: 'match', definition: 'http://hl7.org/fhir/OperationDefinition/Patient-match' };
    const searched = {
      ...{ type: 'Patient', supportedProfile: [profile], interaction: [{ code: 'search-type' }] },
      operation: [match],
    };
    const { directory } = clinic.records.describe();
    const { rest } = await fetchStatement({
      hostResources,
      capabilities: { resource: [searched, condition] },
    });
    expect(rest[0].resource.slice(servedTypes.length)).toEqual([
      {
        ...{ ...searched, interaction: [{ code: 'read' }, { code: 'search-type' }] },
        operation: [everything, match],
      },
      ...['Practitioner', 'Organization'].map((type) => ({
        type,
        ...(type === 'Practitioner' && { supportedProfile: [profile.replace('patient', 'practitioner')] }),
        interaction: [{ code: 'read' }, { code: 'search-type' }],
        searchParam: directory[type as DirectorySearchType].parameters.flatMap(
          ({ name, searchType, description }) =>
            searchType === null ? [] : [{ name, type: searchType, documentation: description }],
        ),
      })),
      { type: 'Encounter', interaction: [{ code: 'read' }] },
      condition,
    ]);
  });
  test('has the profile of patients here only if the directory serves them', async () => {
    const patientIn = async (options: Options) => {
      const { rest } = await fetchStatement(options);
      return rest[0].resource.find(({ type }: Capability) => type === 'Patient');
    };
    expect(await patientIn({})).toMatchObject({
      supportedProfile: [profile],
      interaction: [{ code: 'read' }, { code: 'search-type' }],
      searchParam: [
        { name: '_id', type: 'token' },
        { name: 'identifier', type: 'token' },
        { name: 'name', type: 'string' },
        { name: 'family', type: 'string' },
        { name: 'given', type: 'string' },
        { name: 'birthdate', type: 'date' },
        { name: 'death-date', type: 'date' },
        { name: 'gender', type: 'token' },
      ],
    });
    const hostResources = { types: ['Patient'], read: () => null };
    expect(await patientIn({ hostResources })).not.toHaveProperty('supportedProfile');
  });
  test('cannot change what is said of the interface', async () => {
    const capabilities = { fhirVersion: '5.0.0', rest: [], format: ['xml'], resourceType: 'Patient' };
    const { date: _, ...changed } = await fetchStatement({ capabilities });
    const { date: __, ...unchanged } = await fetchStatement();
    expect(changed).toEqual(unchanged);
  });
  test.each([[[{ type: 'Goal' }]], [[condition, condition]]])(
    'is each type once, and none of the interface itself: %j',
    (resource) => {
      expect(() => sendWith({ capabilities: { resource } })).toThrow('capabilities.resource must describe');
    },
  );
});

describe('how clients get a token', () => {
  const smartConfiguration = {
    issuer: 'https://auth.example',
    authorization_endpoint: 'https://auth.example/authorize',
    token_endpoint: 'https://auth.example/token',
    capabilities: ['launch-standalone'],
  };
  test('is published as the host configures it, without a token', async () => {
    const sent = { token: null };
    const answer = await sendWith({ smartConfiguration })('GET', '/.well-known/smart-configuration', sent);
    expect([answer.status, answer.headers['content-type'], answer.json]).toEqual([
      200,
      'application/json',
      smartConfiguration,
    ]);
  });
  test('is in the capability statement, too', async () => {
    const { rest } = await fetchStatement({ smartConfiguration });
    const { extension, service } = rest[0].security;
    expect(service[0].coding[0].code).toBe('SMART-on-FHIR');
    expect(extension[0].extension).toEqual([
      { url: 'authorize', valueUri: 'https://auth.example/authorize' },
      { url: 'token', valueUri: 'https://auth.example/token' },
    ]);
  });
  test('is nowhere if the host does not configure it', async () => {
    expect((await clinic.get('/.well-known/smart-configuration')).status).toBe(404);
    const { rest } = await fetchStatement();
    expect(Object.keys(rest[0].security)).toEqual(['cors', 'description']);
  });
});
