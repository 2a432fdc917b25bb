import { setImmediate } from 'node:timers/promises';
import { anyVersion, type ClinicalStore, type RecordChange } from '@clinical-records/core/store';
import type { HttpHandler } from '@clinical-records/http-adapter';
import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test, vi } from 'vitest';
import { createLog } from '../../serve/log.ts';
import { warnOfUndefinedTypes } from '../../serve/warn-of-types.ts';
import { type ServedStore, withHealth } from '../../web/health.ts';
import { serveHere } from '../serve-here.ts';

describe('/health and /ready', () => {
  test('need no token, are not cached, and say nothing of the data', async () => {
    const { origin } = await serveHere();
    for (const [path, status] of [
      ['/health', 'live'],
      ['/ready?verbose', 'ready'],
    ]) {
      const response = await fetch(origin + path);
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(await response.json()).toEqual({ status });
      expect((await fetch(origin + path, { method: 'HEAD' })).status).toBe(200);
      expect((await fetch(origin + path, { method: 'PUT' })).status).toBe(401);
    }
  });

  const handler: HttpHandler = Object.assign(() => Promise.reject(new Error('not asked')), { bodyLimit: 0 });
  const stopping = new AbortController().signal;
  const serve = (store: ServedStore) => {
    const served = withHealth(handler, { store, stopping, answerTimeout: 1 });
    return (url: string) => served({ method: 'GET', url, headers: {} });
  };
  const notReady = (status: string, reads: boolean) => ({
    status: 503,
    body: JSON.stringify({ status, reads }),
  });
  const change: RecordChange = {
    ...{ type: 'Patient', id: 'amy', patientId: 'amy', at: 1, by: null },
    ...{ state: '{}', resource: '{}', index: [], expects: anyVersion },
  };

  test.each<readonly [string, ClinicalStore['feedEnd']]>([
    ['fails', async () => ({ _tag: 'Left', left: { _tag: 'Unavailable', message: 'secret', cause: null } })],
    ['does not answer', () => new Promise(() => {})],
  ])('/ready is a 503 while the store %s, and the process is live', async (_, feedEnd) => {
    const server = serve({ ...createMemoryStore(), feedEnd });
    expect(await server('/ready')).toMatchObject(notReady('store-unavailable', false));
    expect(await server('/health')).toMatchObject({ status: 200 });
  });

  test('/ready is a 503 while the database can only be read', async () => {
    let isReadOnly = true;
    const server = serve({ ...createMemoryStore(), isReadOnly: async () => isReadOnly });
    expect(await server('/ready')).toMatchObject(notReady('read-only', true));
    isReadOnly = false;
    expect(await server('/ready')).toMatchObject({ status: 200 });
  });

  test('/ready is a 503 while the database lacks a commit that the process has seen', async () => {
    const [primary, standby] = [createMemoryStore(), createMemoryStore()];
    const commit = (store: ClinicalStore) => store.commit({ changes: [change], versionChecks: [] });
    await commit(primary);
    let current = primary;
    const server = serve({
      ...primary,
      feedEnd: () => current.feedEnd(),
      changesSince: (range) => current.changesSince(range),
    });
    expect(await server('/ready')).toMatchObject({ status: 200 });
    current = standby;
    expect(await server('/ready')).toMatchObject(notReady('behind', true));
    expect(await server('/ready')).toMatchObject(notReady('behind', true));
    await commit(standby);
    expect(await server('/ready')).toMatchObject({ status: 200 });
  });
});

test('with --log json, each request is a line that names its route, and nothing of a chart', async () => {
  const lines: string[] = [];
  vi.spyOn(console, 'error').mockImplementation((line: string) => lines.push(line));
  const { send } = await serveHere({ log: 'json' });
  const headers = { 'x-request-id': 'request-1' };
  await send('/fhir/CareTeam/amy?_format=json', { headers });
  await send('/fhir/Goal?patient=amy', { headers });
  await send('/fhir/Immunization', { method: 'POST', headers, body: '{"patient":"amy"}' });
  await send('/fhir/CareTeam/amy', { headers: { ...headers, authorization: 'Bearer another' } });
  await send('/amy', { headers });
  await send('/health');
  const logged = lines.map((line) => JSON.parse(line));
  const common = {
    ...{ time: expect.any(String), level: 'info' },
    ...{ milliseconds: expect.any(Number), requestId: 'request-1' },
  };
  expect(logged).toEqual([
    { ...common, method: 'GET', route: '/fhir/CareTeam/{id}', status: 200 },
    { ...common, method: 'GET', route: '/fhir/Goal', status: 200 },
    { ...common, method: 'POST', route: '/fhir/Immunization', status: 400 },
    { ...common, method: 'GET', route: '/fhir/CareTeam/{id}', status: 401 },
    { ...common, method: 'GET', route: null, status: 404 },
    { ...common, method: 'GET', route: '/health', status: 200, requestId: null },
  ]);
  expect(lines.join('')).not.toMatch(/amy|another|token/i);
});

test('a stop under load loses no request: it is announced, and new connections are accepted until the drain is over', async () => {
  const { origin, send, stop, drain } = await serveHere();
  let answered = 0;
  /** A client of a balancer: it asks whether the server is ready, and then sends a request. */
  const load = async (): Promise<void> => {
    while ((await fetch(`${origin}/ready`)).status === 200) {
      const created = await send('/fhir/CareTeam/amy', { method: 'PUT', body: '{"id":"amy"}' });
      expect(created.status).toBe(200);
      answered += 1;
    }
  };
  const clients = Array.from({ length: 16 }, load);
  while (answered < 50) await setImmediate();
  stop();
  // A client that does not know yet still gets its response, and is asked to connect elsewhere.
  const late = await send('/fhir/CareTeam/amy');
  expect([late.status, late.headers.get('connection')]).toEqual([200, 'close']);
  expect(await (await fetch(`${origin}/ready`)).json()).toEqual({ status: 'stopping', reads: true });
  await Promise.all(clients);
  await drain();
  await expect(fetch(`${origin}/ready`)).rejects.toThrow('fetch failed');
});

test('with --base-url, absolute links are those of the proxy, whatever a request says of itself', async () => {
  const organization = { reference: 'Organization/31' } as const;
  const { send } = await serveHere({ baseUrl: 'https://clinic.example/r4', usCore: true, organization });
  const forged = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.example',
  };
  const page = JSON.parse(
    await (await send('/fhir/CareTeam?patient=amy&_count=1', { headers: forged })).text(),
  );
  const urls: readonly string[] = page.link.map(({ url }: { readonly url: string }) => url);
  expect(urls).toEqual(Array(3).fill(expect.stringMatching(/^https:\/\/clinic\.example\/r4\/CareTeam\?/)));
});

test('a wrong path is a page for a browser, and JSON for a program and in the interface', async () => {
  const { send } = await serveHere();
  const open = (path: string, accept: string) => send(path, { headers: { authorization: '', accept } });
  const typeOf = async (path: string, accept: string) => {
    const { status, headers } = await open(path, accept);
    return [status, headers.get('content-type')];
  };
  const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';
  for (const path of ['/gude', '/guide/docs/none', '/fhirs'])
    expect(await typeOf(path, browser)).toEqual([404, 'text/html; charset=utf-8']);
  expect(await (await open('/gude', browser)).text()).toContain('href="/guide/"');
  expect(await typeOf('/gude', '*/*')).toEqual([401, 'application/json']);
  expect(await typeOf('/fhir/Goal', browser)).toEqual([401, 'application/json']);
});

test('with --log json, an error is a line with the reason and its place in the code', () => {
  const lines: string[] = [];
  vi.spyOn(console, 'error').mockImplementation((line: string) => lines.push(line));
  const full = Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' });
  createLog('json').error(new Error('The database is unavailable.', { cause: full }), 'request-1');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      time: expect.any(String),
      level: 'error',
      error: 'The database is unavailable.',
      code: 'SQLITE_FULL',
      requestId: 'request-1',
      at: expect.arrayContaining([expect.stringMatching(/^at .*serve-site\.test\.ts/)]),
    },
  ]);
});

test('with --log json, each line has a level: `error` for a request that failed', () => {
  const levels: string[] = [];
  vi.spyOn(console, 'error').mockImplementation((line: string) => levels.push(JSON.parse(line).level));
  const log = createLog('json');
  const request = { method: 'GET', route: '/ready', requestId: null, milliseconds: 1 };
  for (const status of [200, 404, null, 503]) log.request({ ...request, status });
  log.sentence('the tokens were read again');
  log.sentence('a token is refused', 'warn');
  expect(levels).toEqual(['info', 'info', 'info', 'error', 'info', 'warn']);
});

test('a database with types that the server does not define is warned of when it starts', async () => {
  const sentences: string[] = [];
  const warn = (types: readonly string[]) =>
    warnOfUndefinedTypes({ undefinedTypes: async () => types }, { sentence: (text) => sentences.push(text) });
  await warn([]);
  expect(sentences).toEqual([]);
  await warn(['Condition', 'Procedure']);
  expect(sentences).toEqual([
    expect.stringMatching(
      /^warning: the database has resources that this server does not serve: Condition, Procedure\./,
    ),
  ]);
});
