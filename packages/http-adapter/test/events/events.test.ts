import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeAll, expect, test } from 'vitest';
import {
  type HttpHandlerOptions,
  type Principal,
  type ResponseStream,
  toFetch,
  toNodeListener,
} from '../../src/index.ts';
import { goal, labOrder, statement } from '../builders.ts';
import {
  type Clinic,
  createClock,
  createHandler,
  createRecords,
  createSender,
  openClinic,
} from '../clinic.ts';
import { expectError, expectNotFound } from '../response-helpers.ts';

let clinic: Clinic;

beforeAll(async () => {
  clinic = await openClinic(createMemoryStore());
  await clinic.record(goal({ id: 'old', patientId: 'amy' }));
});

const handlerFor = (principal: Partial<Principal> = {}, options: Partial<HttpHandlerOptions> = {}) =>
  createHandler(clinic.records, {
    authenticate: () => ({ subject: 'Person/x', scopes: 'user/*.rs', ...principal }),
    events: { interval: 1 },
    ...options,
  });

const request = (query: string) => ({
  ...{ method: 'GET', url: `/fhir/events?${query}`, headers: { authorization: 'Bearer x' } },
});

const open = async (...options: Parameters<typeof handlerFor>): Promise<ResponseStream> => {
  const { status, headers, stream } = await handlerFor(...options)(request('patient=Patient/amy'));
  expect([status, headers['content-type']]).toEqual([200, 'text/event-stream']);
  if (stream === undefined) throw new Error('There is no stream.');
  expect((await stream.next()).value).toMatch(/^event: open\nid: [\w.-]+\ndata: {}\n\n$/);
  return stream;
};

const versionsIn = (text: unknown) =>
  [...String(text).matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));

test('a stream names each new version in the chart of the patient, and nothing else', async () => {
  const stream = await open();
  await clinic.record(goal({ id: 'of-ben', patientId: 'ben' }));
  await clinic.record(goal({ id: 'new', patientId: 'amy' }));
  const first = (await stream.next()).value;
  expect(first).toMatch(/^event: version\nid: [\w.-]+\ndata: /);
  expect(versionsIn(first)).toEqual([{ resourceType: 'Goal', id: 'new', version: 1 }]);
  await clinic.records.chart.record(
    { kind: 'updateGoal', goalId: 'old', progress: 'Better.' },
    { by: 'Practitioner/ada' },
  );
  expect(versionsIn((await stream.next()).value)).toEqual([{ resourceType: 'Goal', id: 'old', version: 2 }]);
  await clinic.put('/CareTeam/amy', {
    id: 'amy',
    participant: [{ member: { reference: 'Organization/lab' } }],
  });
  expect(versionsIn((await stream.next()).value)).toEqual([
    { resourceType: 'CareTeam', id: 'amy', version: 2 },
  ]);
  await stream.return();
  expect(await stream.next()).toEqual({ value: undefined, done: true });
});

test('a version that is committed late is named, although its time is earlier than that of one named before', async () => {
  const place = Promise.withResolvers<void>();
  const { store } = await openClinic(createMemoryStore());
  const records = createRecords(store, {
    clock: createClock().now,
    resolve: {
      Encounter: async (id) => {
        await place.promise;
        return { id, patientId: 'amy' };
      },
    },
  });
  const handler = createHandler(records, {
    authenticate: () => ({ subject: 'Practitioner/ada', scopes: 'user/*.cruds' }),
    events: { interval: 1 },
  });
  const { stream } = await handler(request('patient=Patient/amy'));
  await stream?.next();
  const send = createSender(handler);
  const create = async (body: object) => {
    const { headers } = await send('POST', '/Immunization', { body });
    const id = headers.location?.split('/').at(-1);
    const { json } = await send('GET', `/Immunization/${id}`);
    return { id, at: Date.parse(json.meta.lastUpdated) };
  };
  const beginLate = create(statement({ encounter: { reference: 'Encounter/late' } }));
  const soon = await create(statement());
  expect(versionsIn((await stream?.next())?.value)).toMatchObject([{ id: soon.id }]);
  place.resolve();
  const late = await beginLate;
  expect(late.at).toBeLessThan(soon.at);
  expect(versionsIn((await stream?.next())?.value)).toMatchObject([{ id: late.id }]);
  await stream?.return();
});

test('all new versions are named, however many there are', async () => {
  const ids = Array.from({ length: 120 }, (_, at) => `many-${at}`);
  const stream = await open();
  for (const id of ids) await clinic.record(goal({ id, patientId: 'amy' }));
  const named: unknown[] = [];
  while (named.length < ids.length) {
    named.push(...versionsIn((await stream.next()).value).map(({ id }) => id));
  }
  expect(named.toSorted()).toEqual(ids.toSorted());
  await stream.return();
});

test('a stream has only the types that the sender may read and search', async () => {
  const stream = await open({ scopes: 'user/ServiceRequest.rs user/Goal.r' });
  await clinic.record(goal({ id: 'hidden', patientId: 'amy' }));
  await clinic.record(labOrder({ id: 'shown', patientId: 'amy' }));
  expect(versionsIn((await stream.next()).value)).toMatchObject([
    { resourceType: 'ServiceRequest', id: 'shown' },
  ]);
  await stream.return();
});

test.each([
  [
    'without a scope',
    { scopes: 'user/Patient.rs user/Goal.r' },
    {},
    /^The caller has no scope .* It needs .*, user\/Goal\.rs, .*, user\/CareTeam\.r, .* or patient\/Immunization\.rs\.$/,
  ],
  [
    'for the chart of another patient',
    { scopes: 'patient/*.rs', patient: 'ben' },
    {},
    /the chart of this patient/,
  ],
  ['where `authorize` denies it', {}, { authorize: () => 'deny' as const }, /the chart of this patient/],
])('%s, it is a 403', async (_, principal, options, sentence) => {
  const answer = await createSender(handlerFor(principal, options))('GET', '/events?patient=amy');
  expectError(answer, 403);
  expect(answer.json.issue[0].diagnostics).toMatch(sentence);
});

test.each([
  '',
  'patient=',
  'patient=a/b',
  'patient=amy&patient=ben',
  'subject=amy',
  'patient=amy&_since=2026',
])('with the query "%s", it is a 400', async (query) => {
  expectError(await createSender(handlerFor())('GET', `/events?${query}`), 400);
});

test('it is not served unless the host says so, only by GET, and only for a patient who exists', async () => {
  expectError(await clinic.get('/events?patient=amy'), 404);
  const send = createSender(handlerFor());
  const posted = await send('POST', '/events?patient=amy');
  expectError(posted, 405);
  expect(posted.headers.allow).toBe('GET, HEAD');
  expectNotFound(await send('GET', '/events?patient=nobody'), 'Patient', 'nobody');
  expectError(
    await createSender(createHandler(clinic.records, { events: {} }))('GET', '/events', { token: null }),
    401,
  );
});

test('a stream ends with the signal of the host, and after its lifetime', async () => {
  const stopping = new AbortController();
  const stream = await open({}, { events: { interval: 60_000, signal: stopping.signal } });
  const next = stream.next();
  stopping.abort();
  expect((await next).done).toBe(true);
  expect((await (await open({}, { events: { interval: 1, lifetime: 0 } })).next()).done).toBe(true);
});

test('an open stream counts as a request in flight', async () => {
  const handler = handlerFor({}, { maxInFlight: 1 });
  const { stream } = await handler(request('patient=amy'));
  expect((await handler(request('patient=amy'))).status).toBe(429);
  await stream?.return();
  const { status, stream: second } = await handler(request('patient=amy'));
  expect(status).toBe(200);
  await second?.return();
});

test('a stream that cannot be recorded is ended, so it counts no more', async () => {
  const failures = [new Error('The log is full.')];
  const onAccess = async () => {
    const failure = failures.pop();
    if (failure !== undefined) throw failure;
  };
  const handler = createHandler(createRecords(clinic.store, { onAccess }), {
    authenticate: () => ({ subject: 'Person/x', scopes: 'user/*.rs' }),
    ...{ events: { interval: 1 }, maxInFlight: 1 },
  });
  const { status, stream } = await handler(request('patient=amy'));
  expect([status, stream]).toEqual([503, undefined]);
  const second = await handler(request('patient=amy'));
  expect(second.status).toBe(200);
  await second.stream?.return();
});

test('HEAD is answered like GET, by a stream that has ended and does not count', async () => {
  const handler = handlerFor({}, { maxInFlight: 1 });
  const ofGet = request('patient=amy');
  const head = await handler({ ...ofGet, method: 'HEAD' });
  const get = await handler(ofGet);
  expect([head.status, head.headers]).toEqual([200, { ...get.headers, 'x-request-id': expect.any(String) }]);
  expect(await head.stream?.next()).toEqual({ value: undefined, done: true });
  await get.stream?.return();
  expect((await handler({ ...request('patient=nobody'), method: 'HEAD' })).status).toBe(404);
});

test('toNodeListener answers HEAD without a length, which the stream does not have', async () => {
  const server = createServer(toNodeListener(handlerFor())).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/fhir/events?patient=amy`;
  const { status, headers } = await fetch(url, { method: 'HEAD', headers: { authorization: 'Bearer x' } });
  server.closeAllConnections();
  server.close();
  expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  expect(headers.get('content-length')).toBeNull();
});

test('toFetch sends the pieces as they come, and ends the stream with the client', async () => {
  const handler = handlerFor({}, { maxInFlight: 1 });
  const url = 'https://clinic.example/fhir/events?patient=amy';
  const sent = new Request(url, { headers: { authorization: 'Bearer x' } });
  const response = await toFetch(handler)(sent);
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  expect(new TextDecoder().decode(value)).toMatch(/^event: open/);
  await reader?.cancel();
  expect((await toFetch(handler)(sent.clone())).status).toBe(200);
});

test('toNodeListener sends the pieces as they come, and ends the stream with the client', async () => {
  const handler = handlerFor({}, { maxInFlight: 1 });
  const server = createServer(toNodeListener(handler)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/fhir/events?patient=amy`;
  const client = new AbortController();
  const get = (signal: AbortSignal) => fetch(url, { signal, headers: { authorization: 'Bearer x' } });
  const response = await get(client.signal);
  expect(response.headers.get('content-length')).toBeNull();
  const { value } = (await response.body?.getReader().read()) ?? {};
  expect(new TextDecoder().decode(value)).toMatch(/^event: open/);
  client.abort();
  // The server notices it soon: from then on, there is room for another one.
  const another = new AbortController();
  let status = 429;
  while (status === 429) ({ status } = await get(another.signal));
  expect(status).toBe(200);
  another.abort();
  server.closeAllConnections();
  server.close();
});
