import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeEach, describe, expect, test } from 'vitest';
import type { CorsOptions } from '../../src/index.ts';
import { statement } from '../builders.ts';
import { type Clinic, createHandler, createRecords, createSender, openClinic } from '../clinic.ts';

const app = 'https://app.example';
const preflight = { origin: app, 'access-control-request-method': 'PUT' };

let clinic: Clinic;

const sendWith = (cors: CorsOptions) => createSender(createHandler(clinic.records, { cors }));

/** The headers that decide what a page may do. */
const corsOf = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('access-control-allow-') || name === 'vary'),
  );

beforeEach(async () => {
  clinic = await openClinic(createMemoryStore());
});

describe('without `cors`', () => {
  test('any page may read the documents that need no token', async () => {
    for (const path of ['/metadata', '/openapi.json']) {
      const { headers } = await clinic.get(path, { token: null, headers: { origin: app } });
      expect(corsOf(headers)).toEqual({ 'access-control-allow-origin': '*' });
      const asked = await clinic.send('OPTIONS', path, { token: null, headers: preflight });
      expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([204, '*']);
    }
  });
  test('no page may read anything else, or ask', async () => {
    const { headers } = await clinic.get('/CareTeam/amy', { headers: { origin: app } });
    expect(corsOf(headers)).toEqual({});
    const asked = await clinic.send('OPTIONS', '/CareTeam/amy', { token: null, headers: preflight });
    expect([asked.status, corsOf(asked.headers)]).toEqual([401, {}]);
  });
});

describe('with origins', () => {
  const cors = { origins: [app, 'http://127.0.0.1:8080'] };
  test.each(cors.origins)('a page of %s may send and read', async (origin) => {
    const send = sendWith(cors);
    const asked = await send('OPTIONS', '/CareTeam/amy', {
      token: null,
      headers: { ...preflight, origin },
    });
    expect([asked.status, asked.text]).toEqual([204, '']);
    expect(asked.headers['access-control-allow-methods']).toContain('PUT');
    const allowed = asked.headers['access-control-allow-headers']?.toLowerCase().split(', ');
    expect(allowed).toEqual(expect.arrayContaining(['authorization', 'content-type', 'if-match', 'prefer']));
    const read = await send('GET', '/CareTeam/amy', { headers: { origin } });
    expect(corsOf(read.headers)).toEqual({ 'access-control-allow-origin': origin, vary: 'Origin' });
    const exposed = read.headers['access-control-expose-headers']?.split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['ETag', 'Location', 'Last-Modified']));
    expect(exposed).not.toContain('X-Warning-Count');
  });
  test('it may send the headers that its client adds', async () => {
    const asked = await sendWith(cors)('OPTIONS', '/Goal', {
      token: null,
      headers: { ...preflight, 'access-control-request-headers': 'authorization,x-medplum' },
    });
    const allowed = asked.headers['access-control-allow-headers']?.toLowerCase().split(/, ?/);
    expect(allowed).toEqual(expect.arrayContaining(['authorization', 'content-type', 'x-medplum']));
  });
  test('it can read errors and a 304, too', async () => {
    const send = sendWith(cors);
    const headers = { origin: app };
    for (const [status, sent] of [
      [401, { token: null, headers }],
      [304, { headers: { ...headers, 'if-none-match': '*' } }],
    ] as const) {
      const answer = await send('GET', '/CareTeam/amy', sent);
      expect([answer.status, corsOf(answer.headers)]).toEqual([
        status,
        { 'access-control-allow-origin': app, vary: 'Origin' },
      ]);
    }
  });
  test.each(['https://app.example.evil', 'https://other.example', 'null'])(
    'a page of %s may not',
    async (origin) => {
      const send = sendWith(cors);
      const asked = await send('OPTIONS', '/CareTeam/amy', {
        token: null,
        headers: { ...preflight, origin },
      });
      const read = await send('GET', '/CareTeam/amy', { headers: { origin } });
      for (const { headers } of [asked, read]) {
        expect(headers).not.toHaveProperty('access-control-allow-origin');
        expect(headers.vary).toBe('Origin');
      }
    },
  );
  test('every page may ask for and read the documents that need no token', async () => {
    const smartConfiguration = { token_endpoint: 'https://login.example/token', capabilities: [] };
    const send = createSender(createHandler(clinic.records, { cors, smartConfiguration }));
    for (const path of ['/metadata', '/openapi.json', '/.well-known/smart-configuration']) {
      for (const origin of ['https://other.example', app]) {
        const headers = { ...preflight, 'access-control-request-method': 'GET', origin };
        const asked = await send('OPTIONS', path, { token: null, headers });
        expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([204, '*']);
        const read = await send('GET', path, { token: null, headers: { origin } });
        expect(corsOf(read.headers)).toEqual({ 'access-control-allow-origin': '*' });
      }
    }
  });
  test('credentials are allowed only if the host says so', async () => {
    const headers = { origin: app };
    const read = async (options: CorsOptions) =>
      (await sendWith(options)('GET', '/CareTeam/amy', { headers })).headers;
    expect(await read(cors)).not.toHaveProperty('access-control-allow-credentials');
    expect((await read({ ...cors, credentials: true }))['access-control-allow-credentials']).toBe('true');
    const document = await sendWith({ ...cors, credentials: true })('GET', '/metadata', { headers });
    expect(corsOf(document.headers)).toEqual({ 'access-control-allow-origin': '*' });
  });
  test('the capability statement says that there is CORS', async () => {
    const { json } = await sendWith(cors)('GET', '/metadata', { token: null });
    expect(json.rest[0].security.cors).toBe(true);
  });
});

test('with any origin, every page may send and read, without credentials', async () => {
  const { headers } = await sendWith({ origins: '*' })('GET', '/CareTeam/amy', { headers: { origin: app } });
  expect(corsOf(headers)).toEqual({ 'access-control-allow-origin': '*' });
});

test('a page may read how many warnings the rules of the host have', async () => {
  const rules = { Immunization: () => [{ rule: 'acme', message: 'Acme.', severity: 'warning' }] as const };
  const handler = createHandler(createRecords(clinic.store, { rules }), { cors: { origins: '*' } });
  const { status, headers } = await createSender(handler)('POST', '/Immunization', { body: statement() });
  expect([status, headers['x-warning-count']]).toEqual([201, '1']);
  expect(headers['access-control-expose-headers']?.split(', ')).toContain('X-Warning-Count');
});

test.each([
  { origins: '*', credentials: true },
  { origins: ['https://app.example/'] },
  { origins: ['app.example'] },
  { origins: 'https://app.example' },
  { origins: ['*'] },
])('invalid options are refused: %j', (cors) => {
  expect(() => sendWith(cors as CorsOptions)).toThrow(TypeError);
});

test('an OPTIONS request that is not a preflight gets the same response as without `cors`', async () => {
  const answer = await sendWith({ origins: '*' })('OPTIONS', '/CareTeam/amy');
  expect(answer.status).toBe(405);
});
