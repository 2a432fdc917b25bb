import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  type Authorization,
  type BulkExportOptions,
  createHttpHandler,
  type GroupMembers,
  type Principal,
} from '../../src/index.ts';
import { ada, goal, immunize, oneCommandOfEach, team } from '../builders.ts';
import { type Clinic, createRecords, openClinic } from '../clinic.ts';
import { openApiValidator } from '../documents/openapi-document.ts';
import { baseUrl, createFiles, openExports, refusalOf, respondAsync, service } from './export-client.ts';

/** The titles say what the specification demands of a server. Source: FHIR Bulk Data Access 2.0.0, "Bulk Data Export". */
let clinic: Clinic;
beforeEach(async () => {
  clinic = await openClinic(createMemoryStore());
  for (const command of oneCommandOfEach({ id: 'x' })) await clinic.record(command);
  await clinic.record(immunize({ id: 'of-ben', patientId: 'ben', noteId: 'note-ben' }));
  await clinic.records.careTeams.update('amy', team(ada));
});

const open = (bulkExport: Partial<BulkExportOptions> = {}, options: Parameters<typeof openExports>[2] = {}) =>
  openExports(clinic, bulkExport, options);

const provenances = [
  ...['Provenance/C-amy-1', 'Provenance/C-amy-2', 'Provenance/G-x-1', 'Provenance/I-of-ben-1'],
  ...['Provenance/I-x-1', 'Provenance/S-x-1'],
];
const chartOfAmy = ['CareTeam/amy', 'Goal/x', 'Immunization/x', 'ServiceRequest/x'];
const directory = [
  ...['Encounter/visit-amy', 'Encounter/visit-ben', 'Organization/home', 'Organization/lab', 'Patient/amy'],
  ...['Patient/ben', 'Practitioner/ada', 'Practitioner/bob', 'Practitioner/cyd', 'Practitioner/dan'],
];
const everything = [...chartOfAmy, 'Immunization/of-ben', ...directory, ...provenances].toSorted();

describe('Kick-off request', () => {
  test.each(['/$export', '/Patient/$export', '/%24export'])(
    'GET [fhir base]%s: 202 Accepted, with the absolute URL of an endpoint for status requests as Content-Location',
    async (path) => {
      const { status, headers, body } = await open().begin(path);
      expect([status, body]).toEqual([202, '']);
      expect(headers['content-location']).toMatch(/^https:\/\/clinic\.example\/fhir\/\$export\/[\w-]+$/);
    },
  );

  test.each(['/$export/x/$export', '/Patient/$export/$export', '/Patient/$export/x'])(
    'a path such as %s begins no export, and is a 404',
    async (path) => {
      const { begin } = open();
      expect((await begin(path)).status).toBe(404);
    },
  );

  test('without Prefer: respond-async, the server MAY return an error', async () => {
    const { send } = open();
    for (const prefer of ['', 'return=minimal', 'no-respond-async']) {
      const { status, json } = await send('GET', '/fhir/$export', { headers: { prefer } });
      expect([status, json.resourceType]).toEqual([400, 'OperationOutcome']);
    }
    const prefer = 'handling=lenient; respond-async';
    expect((await send('GET', '/fhir/$export', { headers: { prefer } })).status).toBe(202);
  });

  test.each(['application/fhir%2Bndjson', 'application/ndjson', 'ndjson', 'application/fhir+ndjson'])(
    '_outputFormat: the server SHALL accept %s',
    async (format) => {
      expect((await open().begin(`/$export?_outputFormat=${format}`)).status).toBe(202);
    },
  );

  test.each([
    ...[
      '_outputFormat=text/csv',
      '_since=soon',
      '_since=2026-03-01',
      '_since=2026-02-30T00:00:00Z',
      '_since=2026-03-01T24:00:00Z',
      '_type=Observation',
      '_type=',
      '_elements=id',
    ],
    ...['patient=Patient/amy', 'organizeOutputBy=Patient'],
  ])('an error has a status of 4XX, and its body SHALL be an OperationOutcome in JSON: %s', async (query) => {
    const { status, json } = await open().begin(`/Patient/$export?${query}`);
    expect([status, json.resourceType]).toEqual([400, 'OperationOutcome']);
    expect(json.issue[0].expression).toEqual([`http.${query.split('=')[0]}`]);
  });

  test('with Prefer: handling=lenient, the server MAY process an unsupported parameter or type', async () => {
    const headers = { prefer: 'respond-async, handling=lenient' };
    expect(await open().exported('/$export?_type=Goal,Observation&_elements=id', { headers })).toEqual([
      'Goal/x',
    ]);
  });

  test('with handling=lenient and no type that is exported, nothing is left: 400, whatever the scopes are', async () => {
    const headers = { prefer: 'respond-async, handling=lenient' };
    for (const scopes of ['', 'patient/*.rs', 'system/*.rs']) {
      const as = { ...service, scopes };
      expect((await open().begin('/$export?_type=Observation', { headers, as })).status).toBe(400);
    }
  });

  test('another method is a 405', async () => {
    const { send } = open();
    expect((await send('PUT', '/fhir/$export', { headers: respondAsync })).status).toBe(405);
    expect((await send('HEAD', '/fhir/$export', { headers: respondAsync })).headers.allow).toBe('GET, POST');
  });
});

describe('The exported resources', () => {
  test('without _type, the server SHALL return all supported resources within the scope of the authorization', async () => {
    expect(await open().exported('/$export')).toEqual(everything);
    const goals: Principal = { ...service, scopes: ['system/Goal.rs', 'user/Patient.rs', 'patient/*.rs'] };
    const { begin, send } = open();
    const { headers } = await begin('/$export', { as: goals });
    expect((await send('GET', headers['content-location'] ?? '', { as: goals })).status).toBeLessThan(300);
    expect(refusalOf(await begin('/$export?_type=Patient,Goal,CareTeam', { as: goals }))).toEqual([
      403,
      'insufficient-scope',
      'The caller has no scope that allows this request. It needs system/Patient.rs and system/CareTeam.rs.',
    ]);
  });

  test('_type: the response SHALL be filtered to only include resources of the specified types', async () => {
    expect(await open().exported('/$export?_type=Goal,Patient')).toEqual([
      'Goal/x',
      'Patient/amy',
      'Patient/ben',
    ]);
  });

  test('the server SHALL treat the values of a repeated parameter as comma delimited values of one', async () => {
    expect(await open().exported('/Patient/$export?_type=Goal&_type=CareTeam')).toEqual([
      'CareTeam/amy',
      'Goal/x',
    ]);
  });

  test('the server SHALL include all available Provenance resources, unless _type does not include Provenance', async () => {
    expect(await open().exported('/Patient/$export?_type=Provenance')).toEqual(provenances);
    expect(await open().exported('/$export?_type=Goal,Provenance')).toEqual(['Goal/x', ...provenances]);
  });

  test('the server SHALL limit the data to resources for which the client is authorized, Provenances too', async () => {
    const { begin, send } = open();
    const goals: Principal = { ...service, scopes: ['system/Goal.rs', 'system/Provenance.rs'] };
    const location = (await begin('/$export', { as: goals })).headers['content-location'] ?? '';
    await expect.poll(async () => (await send('GET', location, { as: goals })).status).toBe(200);
    const { output } = (await send('GET', location, { as: goals })).json;
    expect(output.map(({ type, count }: { type: string; count: number }) => [type, count])).toEqual([
      ['Goal', 1],
      ['Provenance', 1],
    ]);
  });

  test('_since: resources will be included if their state has changed after the supplied time', async () => {
    clinic.clock.at('2026-05-01T08:00:00Z');
    await clinic.record(goal({ id: 'late' }));
    for (const since of [
      '2026-05-01T08:00:00Z',
      '2026-05-01T10:00:00%2B02:00',
      '2026-05-01T10:00:00+02:00',
    ]) {
      expect(await open().exported(`/$export?_since=${since}`)).toEqual(['Goal/late', 'Provenance/G-late-1']);
    }
  });

  test('patient: the server SHALL NOT return resources in the compartments of patients outside of this list', async () => {
    const parameter = [
      { name: 'patient', valueReference: { reference: 'Patient/ben' } },
      { name: '_type', valueString: 'Patient,Immunization,Encounter,Provenance' },
    ];
    const body = { resourceType: 'Parameters', parameter };
    expect(await open().exported('/Patient/$export', { body })).toEqual([
      ...['Encounter/visit-ben', 'Immunization/of-ben', 'Patient/ben', 'Provenance/I-of-ben-1'],
    ]);
    const { begin } = open();
    expect((await begin('/$export', { body })).status).toBe(400);
    expect((await begin('/Patient/$export', { body: { resourceType: 'Patient' } })).status).toBe(400);
  });

  test('patient: practitioners are named only by resources for which the client is authorized', async () => {
    const parameter = [{ name: 'patient', valueReference: { reference: 'Patient/amy' } }];
    const body = { resourceType: 'Parameters', parameter };
    const practitionersFor = async (scopes: Principal['scopes']) => {
      const as = { ...service, scopes };
      const names = await open().exported('/Patient/$export?_type=Practitioner', { as, body });
      return names.map((name) => name.split('/')[1]);
    };
    expect(await practitionersFor('system/*.rs')).toEqual(['ada']);
    expect(await practitionersFor('system/Practitioner.rs system/CareTeam.rs')).toEqual(['ada']);
    expect(await practitionersFor('system/Practitioner.rs')).toEqual([]);
  });

  test('authorize of the host limits the patients, or refuses', async () => {
    const limited = open({}, { authorize: () => ({ limitTo: 'ben' }) });
    expect(await limited.exported('/$export?_type=Patient,Immunization')).toEqual([
      'Immunization/of-ben',
      'Patient/ben',
    ]);
    expect(refusalOf(await open({}, { authorize: () => 'deny' }).begin('/$export'))).toEqual([
      403,
      'other-chart',
      'The caller may not reach the chart of this patient.',
    ]);
  });

  test('authorize of the host is asked once, also if the token may not read patients', async () => {
    const asked: unknown[] = [];
    const goals: Principal = { ...service, scopes: ['system/Goal.rs'] };
    const authorize = (question: object) => {
      asked.push(question);
      return 'allow' as const;
    };
    const { status } = await open({}, { authorize }).begin('/$export?_type=Goal', { as: goals });
    expect(status).toBe(202);
    expect(asked).toEqual([
      expect.objectContaining({
        interaction: 'operation',
        resourceType: 'Patient',
        id: null,
        patientIds: [],
      }),
    ]);
  });
});

describe('Each request of an export is checked by its own token', () => {
  test.each<readonly [what: string, now: Authorization, status: number]>([
    ['all is allowed', 'allow', 200],
    ['these patients and others are', { limitTo: ['cyd', 'ben', 'amy'] }, 200],
    ['one of the patients is not', { limitTo: ['amy'] }, 403],
    ['nobody is', 'deny', 403],
  ])('and by what `authorize` says then: %s', async (_, now, status) => {
    let answer: Authorization = { limitTo: ['amy', 'ben'] };
    const { end, send } = open({}, { authorize: () => answer });
    const { location, manifest } = await end('/$export?_type=Immunization');
    const file = manifest.output[0].url;
    answer = now;
    for (const url of [location, file]) {
      const response = await send('GET', url);
      expect(response.status).toBe(status);
      if (status === 403) expect(refusalOf(response)[1]).toBe('other-chart');
    }
    expect((await send('DELETE', location)).status).toBe(202);
  });

  test('an export of all charts needs that all are allowed', async () => {
    let answer: Authorization = 'allow';
    const { end, send } = open({}, { authorize: () => answer });
    const { location } = await end('/$export?_type=Immunization');
    answer = { limitTo: ['amy', 'ben'] };
    expect((await send('GET', location)).status).toBe(403);
  });

  test('it runs on after the token has expired that began it, and another token of the client reads it', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const gate = Promise.withResolvers<void>();
    const { files } = createFiles(() => gate.promise);
    const { begin, send } = open({ files });
    const expiring = { ...service, expiresAt: Date.now() + 60_000 };
    const location = (await begin('/$export?_type=Goal', { as: expiring })).headers['content-location'] ?? '';
    vi.setSystemTime(expiring.expiresAt);
    expect((await send('GET', location, { as: expiring })).status).toBe(401);
    gate.resolve();
    await expect.poll(async () => (await send('GET', location)).status).toBe(200);
    const { output } = (await send('GET', location)).json;
    expect((await send('GET', output[0].url, { as: expiring })).status).toBe(401);
    expect((await send('GET', output[0].url)).status).toBe(200);
  });
});

describe('Status request', () => {
  test('in progress: 202 Accepted, with an X-Progress of less than 100 characters, and a Retry-After', async () => {
    const gate = Promise.withResolvers<void>();
    const { files } = createFiles(() => gate.promise);
    const { begin, send } = open({ files });
    const location = (await begin('/$export')).headers['content-location'] ?? '';
    const { status, headers, body } = await send('GET', location);
    expect([status, body]).toEqual([202, '']);
    expect(headers['x-progress']).toMatch(/^\d+ resources so far$/);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    gate.resolve();
  });

  test('in progress: the X-Progress of a limited export counts nothing of other charts', async () => {
    const gate = Promise.withResolvers<void>();
    const { files } = createFiles(() => gate.promise);
    const { begin, send } = open({ files }, { authorize: () => ({ limitTo: 'ben' }) });
    const location = (await begin('/$export?_type=Immunization')).headers['content-location'] ?? '';
    await expect
      .poll(async () => (await send('GET', location)).headers['x-progress'])
      .toBe('1 resources so far');
    gate.resolve();
  });

  test('complete: 200 OK, application/json, Expires, and the required fields with absolute URLs', async () => {
    const { status, manifest } = await open().end('/Patient/$export?_type=Goal');
    expect(status.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
    expect(Date.parse(status.headers.expires ?? '')).toBeGreaterThan(Date.now());
    expect(manifest).toEqual({
      transactionTime: expect.stringMatching(/^2026-03-01T\d\d:\d\d:\d\d\.\d{3}Z$/),
      request: `${baseUrl}/Patient/$export?_type=Goal`,
      requiresAccessToken: true,
      output: [{ type: 'Goal', url: expect.stringMatching(/^https:.*\/Goal\.1\.ndjson$/), count: 1 }],
      error: [],
    });
  });

  test('if no resources are returned, the output SHOULD be an empty array', async () => {
    expect((await open().end('/$export?_since=2100-01-01T00:00:00Z')).manifest.output).toEqual([]);
  });

  test('an export that fails has a status of 5XX, and an OperationOutcome as application/fhir+json', async () => {
    const onError = vi.fn();
    const write = async () => Promise.reject(new Error('the disk is full'));
    const { status } = await open({ files: { ...createFiles().files, write } }, { onError }).end('/$export');
    expect([status.status, status.json.resourceType]).toEqual([500, 'OperationOutcome']);
    expect(status.headers['content-type']).toBe('application/fhir+json');
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ message: 'the disk is full' });
  });
});

describe('Delete request', () => {
  test('202 Accepted; afterwards the polling location SHALL return 404 Not Found and an OperationOutcome', async () => {
    const { end, send, texts } = open();
    const { location, manifest } = await end('/$export');
    expect(texts.size).toBeGreaterThan(0);
    expect((await send('DELETE', location)).status).toBe(202);
    for (const url of [location, manifest.output[0].url]) {
      const { status, json } = await send('GET', url);
      expect([status, json.resourceType]).toEqual([404, 'OperationOutcome']);
    }
    expect((await send('DELETE', location)).status).toBe(404);
    expect(texts.size).toBe(0);
  });

  test('a DELETE cancels a request that is being processed, and leaves no files', async () => {
    const gate = Promise.withResolvers<void>();
    const { files, texts } = createFiles(() => gate.promise);
    const removed = vi.spyOn(files, 'remove');
    const { begin, send } = open({ files });
    const location = (await begin('/$export')).headers['content-location'] ?? '';
    expect((await send('DELETE', location)).status).toBe(202);
    expect((await send('GET', location)).status).toBe(404);
    gate.resolve();
    await expect.poll(() => removed).toHaveBeenCalled();
    expect(texts.size).toBe(0);
  });

  test('files that could not be removed are a 500, and the next DELETE removes them', async () => {
    const { files, texts } = createFiles();
    const { end, send } = open({ files });
    const { location } = await end('/$export');
    vi.spyOn(files, 'remove').mockRejectedValueOnce(new Error('the disk is gone'));
    expect((await send('DELETE', location)).status).toBe(500);
    expect(texts.size).toBeGreaterThan(0);
    expect((await send('DELETE', location)).status).toBe(202);
    expect(texts.size).toBe(0);
    expect((await send('GET', location)).status).toBe(404);
  });

  test('files of a cancelled request that could not be removed are removed with the next request', async () => {
    const gate = Promise.withResolvers<void>();
    const { files, texts } = createFiles(() => gate.promise);
    const onError = vi.fn();
    const write = vi.spyOn(files, 'write');
    vi.spyOn(files, 'remove').mockRejectedValueOnce(new Error('the disk is gone'));
    const { begin, send } = open({ files }, { onError });
    const location = (await begin('/$export')).headers['content-location'] ?? '';
    await expect.poll(() => write).toHaveBeenCalled();
    expect((await send('DELETE', location)).status).toBe(202);
    gate.resolve();
    await expect.poll(() => onError).toHaveBeenCalledOnce();
    expect(texts.size).toBeGreaterThan(0);
    expect((await send('GET', location)).status).toBe(404);
    expect(texts.size).toBe(0);
  });
});

describe('Output file request', () => {
  test('200 OK; the Content-Type SHALL be application/fhir+ndjson; only the most recent version of a resource', async () => {
    const { end, send } = open();
    await clinic.enterInError('Goal/x/0');
    const { manifest } = await end('/$export?_type=Goal');
    const accept = { headers: { accept: 'application/fhir+ndjson' } };
    const { status, headers, body } = await send('GET', manifest.output[0].url, accept);
    expect([status, headers['content-type']]).toEqual([200, 'application/fhir+ndjson']);
    expect(body).toBe(`${(await clinic.records.goals.asJson.read('x')).json}\n`);
  });

  test('a status or file request SHALL be protected as the kick-off is, with scopes that cover all exported resources', async () => {
    const { end, send } = open();
    const { location, manifest } = await end('/$export?_type=Goal');
    const { url } = manifest.output[0];
    expect((await send('GET', url, { as: null })).status).toBe(401);
    for (const other of [{ client: 'other' }, { subject: 'Device/other' }] as const) {
      for (const path of [url, location]) {
        expect((await send('GET', path, { as: { ...service, ...other } })).status).toBe(404);
      }
      expect((await send('DELETE', location, { as: { ...service, ...other } })).status).toBe(404);
    }
    const narrow: Principal = { ...service, scopes: ['system/Patient.rs'] };
    for (const path of [url, location]) {
      expect(refusalOf(await send('GET', path, { as: narrow }))).toEqual([
        403,
        'insufficient-scope',
        'The caller has no scope that allows this request. It needs system/Goal.rs.',
      ]);
    }
    expect((await send('GET', `${url}x`)).status).toBe(404);
  });

  test('the scopes cover the resources that the exported Provenances name, too', async () => {
    const { end, send } = open();
    const { location, manifest } = await end('/$export?_type=Provenance');
    const statusesFor = async (scopes: Principal['scopes']) => {
      const as = { ...service, scopes };
      return Promise.all(
        [location, manifest.output[0].url].map(async (url) => (await send('GET', url, { as })).status),
      );
    };
    expect(await statusesFor(['system/Provenance.rs', 'system/Goal.rs'])).toEqual([403, 403]);
    expect(await statusesFor(['system/*.rs'])).toEqual([200, 200]);
  });

  test('each file SHALL contain resources of only one type; a type MAY have several files', async () => {
    const name = 'x'.repeat(1_000);
    const organizations = Array.from({ length: 2_500 }, (_, at) => ({
      resourceType: 'Organization',
      id: `o${at}`,
      name,
    }));
    await clinic.records.importer.load(organizations);
    const { manifest } = await open().end('/$export?_type=Organization');
    const counts = manifest.output.map(({ count }: { count: number }) => count);
    expect(counts.length).toBe(3);
    expect(counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(2_502);
  });

  test('files expire', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const { end, send, texts } = open({ keepFor: 60_000 });
      const { location, manifest } = await end('/$export');
      expect((await send('GET', manifest.output[0].url)).status).toBe(200);
      vi.setSystemTime(Date.now() + 60_001);
      expect((await send('GET', manifest.output[0].url)).status).toBe(404);
      expect((await send('GET', location)).status).toBe(404);
      expect(texts.size).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test('expired files that cannot be removed are not shown, disturb no other export, and are removed later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const { files, texts } = createFiles();
      const onError = vi.fn();
      const { begin, end, send } = open({ files, keepFor: 60_000 }, { onError });
      const { manifest } = await end('/$export');
      vi.setSystemTime(Date.now() + 60_001);
      const remove = vi.spyOn(files, 'remove').mockRejectedValue(new Error('the disk is gone'));
      expect((await send('GET', manifest.output[0].url)).status).toBe(404);
      expect((await begin('/$export?_type=Goal')).status).toBe(202);
      expect(onError).toHaveBeenCalledTimes(2);
      remove.mockRestore();
      expect((await send('GET', manifest.output[0].url)).status).toBe(404);
      expect(Array.from(texts.keys()).filter((key) => !key.endsWith('Goal.1.ndjson'))).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });
});

test.each([
  ['a user', ['user/*.*']],
  ['a patient', ['patient/*.*']],
  ['a system that may only write', ['system/*.write']],
  ['a system that may only read single resources', ['system/*.r']],
] as const)('the scopes of %s do not grant an export', async (_, scopes) => {
  const as = { ...service, scopes: [...scopes], patient: 'amy' };
  const [status, , sentence] = refusalOf(await open().begin('/$export', { as }));
  expect(status).toBe(403);
  expect(sentence).toMatch(
    / It needs system\/Patient\.rs, .*, system\/Goal\.rs, .* or system\/Provenance\.rs\.$/,
  );
});

test('the audit has the request, and every resource that a file shows', async () => {
  const events: { interaction: unknown; resources: readonly unknown[]; patientIds: readonly string[] }[] = [];
  const records = createRecords(clinic.store, { onAccess: (event) => events.push(event) });
  const { exported } = open({}, { records });
  await exported('/$export?_type=Goal,Patient');
  expect(events[0]).toMatchObject({
    interaction: 'operation',
    by: 'Device/warehouse',
    query: '_type=Goal,Patient',
  });
  expect(events.flatMap(({ patientIds }) => patientIds).toSorted()).toEqual(['amy', 'amy', 'ben']);
  expect(events.flatMap(({ resources }) => resources)).toHaveLength(3);
});

test('the audit names the patients whom a request lists, although nothing is exported of them', async () => {
  const events: { patientIds: readonly string[] }[] = [];
  const records = createRecords(clinic.store, { onAccess: (event) => events.push(event) });
  const parameter = ['amy', 'ben'].map((id) => ({
    ...{ name: 'patient', valueReference: { reference: `Patient/${id}` } },
  }));
  const body = { resourceType: 'Parameters', parameter };
  const authorize = () => ({ limitTo: ['ben', 'cyd'] });
  await open({}, { records, authorize }).exported('/Patient/$export?_since=2100-01-01T00:00:00Z', { body });
  expect(events[0]?.patientIds).toEqual(['ben']);
});

test('the audit names the patients of a file with Provenances, which do not name them', async () => {
  const events: { patientIds: readonly string[] }[] = [];
  const records = createRecords(clinic.store, { onAccess: (event) => events.push(event) });
  await open({}, { records }).exported('/$export?_type=Provenance');
  expect(events.flatMap(({ patientIds }) => patientIds).toSorted()).toEqual(['amy', 'ben']);
});

test('the names of patients in a file with Provenances are not a file of the manifest', async () => {
  const { end, send } = open();
  const { manifest } = await end('/$export?_type=Provenance');
  expect(manifest.output).toHaveLength(1);
  expect((await send('GET', `${manifest.output[0].url}.patients`)).status).toBe(404);
});

test('/metadata lists the operations, and without the option nothing is served', async () => {
  const { send } = open();
  const definitions = 'http://hl7.org/fhir/uv/bulkdata/OperationDefinition';
  const { rest } = (await send('GET', '/fhir/metadata')).json;
  expect(rest[0].operation).toEqual([{ name: 'export', definition: `${definitions}/export` }]);
  const patient = rest[0].resource.find(({ type }: { type: string }) => type === 'Patient');
  expect(patient.operation).toContainEqual({ name: 'export', definition: `${definitions}/patient-export` });
  expect((await clinic.get('/$export', { headers: respondAsync })).status).toBe(405);
});

test('/openapi.json describes the operations', async () => {
  const { paths, ...document } = (await open().send('GET', '/fhir/openapi.json')).json;
  const { '/$export': system, '/Patient/$export': patients, '/$export/{export}': status } = paths;
  expect([system, patients, status].map((path) => Object.keys(path))).toEqual([
    ...[
      ['get', 'post'],
      ['get', 'post'],
      ['get', 'delete'],
    ],
  ]);
  expect(Object.keys(paths['/$export/{export}/{file}'])).toEqual(['get']);
  expect(await openApiValidator.validate({ paths, ...document })).toEqual({ valid: true });
});

describe('[fhir base]/Group/[id]/$export', () => {
  const groups = new Map([
    ['diabetes', ['ben', 'a-stranger']],
    ['both', ['amy', 'ben']],
    ['nobody', []],
  ]);
  const groupMembers = vi.fn<GroupMembers>((id) => groups.get(id) ?? null);
  const bodyWith = (...ids: readonly string[]) => ({
    resourceType: 'Parameters',
    parameter: ids.map((id) => ({ name: 'patient', valueReference: { reference: `Patient/${id}` } })),
  });
  beforeEach(() => groupMembers.mockClear());

  test('the charts of the members are exported, and nothing of other patients', async () => {
    expect(await open({ groupMembers }).exported('/Group/diabetes/$export')).toEqual([
      ...['Encounter/visit-ben', 'Immunization/of-ben', 'Patient/ben', 'Provenance/I-of-ben-1'],
    ]);
  });

  test('_type and _since choose among their resources', async () => {
    const { exported } = open({ groupMembers });
    expect(await exported('/Group/diabetes/$export?_type=Goal,Patient')).toEqual(['Patient/ben']);
    expect(await exported('/Group/diabetes/$export?_since=2100-01-01T00:00:00Z')).toEqual([]);
  });

  test('patient: the server SHALL NOT return resources of patients outside of this list, or of the group', async () => {
    const { exported } = open({ groupMembers });
    const patients = async (...ids: readonly string[]) =>
      exported('/Group/diabetes/$export?_type=Patient', { body: bodyWith(...ids) });
    expect(await patients('amy', 'ben')).toEqual(['Patient/ben']);
    expect(await patients('amy')).toEqual([]);
  });

  test('a group without members has an export without files', async () => {
    expect(await open({ groupMembers }).exported('/Group/nobody/$export')).toEqual([]);
  });

  test('those who are in the group at the time of the request are exported', async () => {
    const members = ['ben'];
    const { exported } = open({ groupMembers: () => members });
    expect(await exported('/Group/any/$export?_type=Patient')).toEqual(['Patient/ben']);
    members.push('amy');
    expect(await exported('/Group/any/$export?_type=Patient')).toEqual(['Patient/amy', 'Patient/ben']);
  });

  test('its status, its files and its end are those of any export', async () => {
    const { end, send } = open({ groupMembers });
    const { location, manifest } = await end('/Group/diabetes/$export?_type=Patient');
    expect(manifest.request).toBe(`${baseUrl}/Group/diabetes/$export?_type=Patient`);
    expect((await send('GET', manifest.output[0].url)).status).toBe(200);
    expect((await send('DELETE', location)).status).toBe(202);
    expect((await send('GET', location)).status).toBe(404);
  });

  test('a group that the host does not know is a 404', async () => {
    const { begin } = open({ groupMembers });
    const { status, json } = await begin('/Group/cardiology/$export');
    expect([status, json.issue[0].details.text]).toEqual([404, "Unknown Group resource 'cardiology'"]);
    for (const path of ['/Group/$export', '/Group/a/b/$export', '/Group/a%2Fb/$export']) {
      expect((await begin(path)).status).toBe(404);
    }
  });

  test('the host is asked with the sender, and only for one whose scopes allow the export', async () => {
    const { begin } = open({ groupMembers });
    await begin('/Group/diabetes/$export');
    expect(groupMembers.mock.calls).toMatchObject([
      ['diabetes', { principal: service, request: { url: '/fhir/Group/diabetes/$export' } }],
    ]);
    const as: Principal = { ...service, scopes: ['user/*.*', 'patient/*.*'], patient: 'ben' };
    for (const id of ['diabetes', 'cardiology']) {
      expect((await begin(`/Group/${id}/$export`, { as })).status).toBe(403);
    }
    expect((await begin('/Group/diabetes/$export', { as: null })).status).toBe(401);
    expect(groupMembers).toHaveBeenCalledTimes(1);
  });

  test('authorize of the host limits the members, or refuses', async () => {
    const limited = open({ groupMembers }, { authorize: () => ({ limitTo: ['amy', 'cyd'] }) });
    expect(await limited.exported('/Group/both/$export?_type=Patient')).toEqual(['Patient/amy']);
    expect((await limited.begin('/Group/diabetes/$export')).status).toBe(403);
  });

  test('the audit names the members', async () => {
    const events: { patientIds: readonly string[]; interaction: string | null }[] = [];
    const records = createRecords(clinic.store, { onAccess: (event) => events.push(event) });
    await open({ groupMembers }, { records }).begin('/Group/diabetes/$export');
    expect(events).toMatchObject([{ interaction: 'operation', patientIds: ['ben', 'a-stranger'] }]);
  });

  test.each([{ members: ['a/b'] }, { members: 'ben' }, { members: [7] }])(
    'members that are not ids of patients are an error of the host: %j',
    async ({ members }) => {
      const onError = vi.fn();
      const { begin } = open({ groupMembers: () => members as never }, { onError });
      expect((await begin('/Group/diabetes/$export')).status).toBe(500);
      expect(onError.mock.calls[0]?.[0].message).toContain('groupMembers() must return ids of patients');
    },
  );

  test('/metadata and /openapi.json list it only with groups, and without them it is a 404', async () => {
    const operations = async (options: Partial<BulkExportOptions>) => {
      const { send, begin } = open(options);
      const { rest, instantiates } = (await send('GET', '/fhir/metadata')).json;
      const { paths, ...document } = (await send('GET', '/fhir/openapi.json')).json;
      expect(await openApiValidator.validate({ paths, ...document })).toEqual({ valid: true });
      expect(instantiates).toEqual(['http://hl7.org/fhir/uv/bulkdata/CapabilityStatement/bulk-data']);
      return {
        group: rest[0].resource.find(({ type }: { type: string }) => type === 'Group'),
        methods: Object.keys(paths['/Group/{id}/$export'] ?? {}),
        status: (await begin('/Group/diabetes/$export')).status,
      };
    };
    const definition = 'http://hl7.org/fhir/uv/bulkdata/OperationDefinition/group-export';
    expect(await operations({ groupMembers })).toEqual({
      group: { type: 'Group', operation: [{ name: 'export', definition }] },
      methods: ['get', 'post'],
      status: 202,
    });
    expect(await operations({})).toEqual({ group: undefined, methods: [], status: 404 });
  });
});

test.each([
  [{}, 'bulkExport.files must have the functions write, read and remove.'],
  [{ files: createFiles().files, groupMembers: {} }, 'bulkExport.groupMembers must be a function.'],
  ...['maxExports', 'maxExportsPerPrincipal', 'maxKept', 'maxKeptBytes'].map((name): [object, string] => [
    { files: createFiles().files, [name]: 0 },
    `bulkExport.${name} must be a whole number of 1 or more.`,
  ]),
])('a wrong option is an error', (bulkExport, message) => {
  expect(() => open(bulkExport as never, { bulkExport: bulkExport as never })).toThrow(message);
});

test('an export without a baseUrl is an error, because its URLs are absolute', () => {
  const bulkExport = { files: createFiles().files };
  const handler = () => createHttpHandler(clinic.records, { authenticate: () => null, bulkExport });
  expect(handler).toThrow('bulkExport needs baseUrl: the URLs of an export are absolute.');
});
