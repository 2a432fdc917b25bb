import { type AccessEvent, createAuditLog } from '@clinical-records/core';
import { createMemoryAuditStore, createMemoryStore } from '@clinical-records/store-memory';
import { findFhirIssues } from '@clinical-records/testing-profiles';
import { describe, expect, test } from 'vitest';
import { createHandler, createRecords, createSender, openClinic } from '../clinic.ts';
import { expectError } from '../response-helpers.ts';

const store = createMemoryStore();
await openClinic(store);

/** A log in which Ada has looked at Amy's chart, and Bob at both, an hour later. */
const openLog = async () => {
  const audit = createAuditLog({ store: createMemoryAuditStore() });
  const events: AccessEvent[] = [];
  const onAccess = async (event: AccessEvent) => {
    events.push(event);
    await audit.onAccess(event);
  };
  let now = Date.parse('2026-03-02T09:00:00Z');
  const records = createRecords(store, { clock: () => new Date(now), onAccess });
  await records.careTeams.read('amy', { by: 'Practitioner/ada' });
  now = Date.parse('2026-03-02T10:00:00Z');
  await records.careTeams.search({ patient: 'amy,ben' }, { by: 'Practitioner/bob' });
  const sendAs = (scope: string) =>
    createSender(
      createHandler(records, {
        ...{
          auditLog: audit,
          authenticate: () => ({ subject: 'Practitioner/cyd', scopes: scope, patient: 'amy' }),
        },
      }),
    );
  return { audit, events, records, sendAs, get: (path: string) => sendAs('user/AuditEvent.rs')('GET', path) };
};

type Bundle = {
  readonly entry?: readonly { readonly resource: { readonly id: string } }[];
  readonly link: readonly { readonly relation: string; readonly url: string }[];
};
const idsIn = ({ entry = [] }: Bundle) => entry.map(({ resource: { id } }) => id);

describe('the events are found by patient, user and time, newest first', () => {
  test.each([
    ['', ['3', '2', '1']],
    ['?patient=amy', ['2', '1']],
    ['?patient=Patient/ben', ['3']],
    ['?patient=amy&patient=ben', []],
    ['?agent=Practitioner/ada', ['1']],
    ['?agent=ada,bob&patient=amy', ['2', '1']],
    ['?date=2026-03-02', ['3', '2', '1']],
    ['?date=ge2026-03-02T09:30:00Z', ['3', '2']],
    ['?date=gt2026-03-02T09:00:00Z&date=lt2026-03-02T10:00:00Z', []],
    ['?date=le2026-03-02T09:00:00Z', ['1']],
    ['?date=sa2026-03-02', []],
    ['?date=eb2026-03-02T10:00:00Z', ['1']],
    ['?_count=2', ['3', '2']],
  ])('%s', async (query, ids) => {
    const { get } = await openLog();
    const { status, json } = await get(`/AuditEvent${query}`);
    expect([status, idsIn(json)]).toEqual([200, ids]);
    expect(findFhirIssues(json)).toEqual([]);
  });
});

test.each([
  '?color=blue',
  '?date=ne2026-03-02',
  '?date=2026-01-01,2026-01-02',
  '?_offset=1',
  '?_after=x',
  '?agent=Goal/1',
])('a search that the log does not support is a 400: %s', async (query) => {
  const { get } = await openLog();
  expect(await get(`/AuditEvent${query}`)).toMatchObject({ status: 400 });
});

test('a lenient search says what it ignored, and does not ignore its only condition', async () => {
  const { sendAs } = await openLog();
  const get = (query: string) =>
    sendAs('user/AuditEvent.rs')('GET', `/AuditEvent?${query}`, { headers: { prefer: 'handling=lenient' } });
  expectError(await get('colour=blue'), 400, 'http.colour');
  const { json } = await get('colour=blue&agent=ada');
  const [event, ignored] = json.entry;
  expect([event.resource.id, json.entry.length]).toEqual(['1', 2]);
  expect(ignored).toMatchObject({
    resource: {
      resourceType: 'OperationOutcome',
      issue: [
        {
          severity: 'warning',
          details: { coding: [{ code: 'unknown-parameter' }] },
          expression: ['http.colour'],
        },
      ],
    },
    search: { mode: 'outcome' },
  });
  expect(json.link[0].url).not.toContain('colour');
  expect(findFhirIssues(json)).toEqual([]);
  expect((await get('agent=ada')).json.entry).toHaveLength(1);
});

test('a link of another search does not lead into the log', async () => {
  const { sendAs } = await openLog();
  const get = (path: string) => sendAs('user/*.rs user/AuditEvent.rs')('GET', path);
  const { json }: { json: Bundle } = await get('/CareTeam?_count=1');
  const [, after] =
    /_after=([^&]+)/.exec(json.link.find(({ relation }) => relation === 'next')?.url ?? '') ?? [];
  expect(await get(`/AuditEvent?_after=${after}`)).toMatchObject({
    status: 400,
    json: { issue: [{ expression: ['http._after'] }] },
  });
});

test('the next page begins after the last event, whatever happened meanwhile', async () => {
  const { get } = await openLog();
  const ids: string[] = [];
  let path: string | undefined = '/AuditEvent?patient=amy&_count=1';
  while (path !== undefined) {
    const { json }: { json: Bundle } = await get(path);
    ids.push(...idsIn(json));
    const next = json.link.find(({ relation }) => relation === 'next');
    path = next && `/${next.url}`;
  }
  expect(ids).toEqual(['2', '1']);
});

describe('only a scope of a user or a system that names AuditEvent grants it', () => {
  test.each([
    ['user/AuditEvent.rs', 200],
    ['system/AuditEvent.read', 200],
    ['user/*.cruds system/*.*', 403],
    ['patient/AuditEvent.rs patient/*.rs', 403],
    ['user/AuditEvent.r', 403],
  ])('%s: %i', async (scope, status) => {
    const { sendAs } = await openLog();
    expect(await sendAs(scope)('GET', '/AuditEvent?patient=amy')).toMatchObject({ status });
  });
});

test.each([
  ['allow', '', ['3', '2', '1']],
  ['deny', '', []],
  [{ limitTo: 'amy' }, '', ['2', '1']],
  [{ limitTo: ['amy'] }, '?patient=ben', []],
] as const)('`authorize` is asked about the charts: %j for %j', async (answer, query, ids) => {
  const { audit, records } = await openLog();
  const handler = createHandler(records, {
    ...{ auditLog: audit, authorize: () => answer },
    authenticate: () => ({ subject: 'Practitioner/cyd', scopes: 'user/AuditEvent.rs' }),
  });
  expect(idsIn((await createSender(handler)('GET', `/AuditEvent${query}`)).json)).toEqual(ids);
});

test('a reading of the log is an event, which names the patients of the events', async () => {
  const { get, events } = await openLog();
  await get('/AuditEvent?agent=bob');
  expect(events.at(-1)).toMatchObject({
    ...{ by: 'Practitioner/cyd', interaction: 'search', resourceType: 'AuditEvent', query: 'agent=bob' },
    resources: [
      { type: 'AuditEvent', id: '3', patientId: 'ben' },
      { type: 'AuditEvent', id: '2', patientId: 'amy' },
    ],
  });
  expect(idsIn((await get('/AuditEvent?patient=ben')).json)).toEqual(['4', '3']);
  await get('/AuditEvent?patient=ben&agent=ada');
  expect(events.at(-1)).toMatchObject({ resources: [], patientIds: ['ben'] });
});

test('without a log there is no such path, and a log needs records whose accesses are reported', async () => {
  const { audit } = await openLog();
  const records = createRecords(store);
  expectError(await createSender(createHandler(records))('GET', '/AuditEvent'), 404);
  expect(() => createHandler(records, { auditLog: audit })).toThrow(/onAccess/);
});

test('/metadata and /openapi.json describe the search', async () => {
  const { get } = await openLog();
  const { json: statement } = await get('/metadata');
  expect(statement.rest[0].resource).toContainEqual({
    type: 'AuditEvent',
    interaction: [{ code: 'search-type' }],
    searchParam: [
      expect.objectContaining({ name: 'patient', type: 'reference' }),
      expect.objectContaining({ name: 'agent', type: 'reference' }),
      expect.objectContaining({ name: 'date', type: 'date' }),
    ],
  });
  expect(findFhirIssues(statement)).toEqual([]);
  const { get: operation } = (await get('/openapi.json')).json.paths['/AuditEvent'];
  expect(operation.security).toEqual([
    { bearer: ['user/AuditEvent.s'] },
    { bearer: ['system/AuditEvent.s'] },
  ]);
  expect(operation.parameters.map(({ name }: { readonly name: string }) => name)).toEqual([
    ...['patient', 'agent', 'date', '_count', '_after', 'Prefer'],
  ]);
});
