import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeAll, describe, expect, test } from 'vitest';
import type { HttpHandlerOptions, HttpRequest, HttpResponse, Principal } from '../../src/index.ts';
import { type Clinic, createHandler, createSender, openClinic } from '../clinic.ts';
import { expectError } from '../response-helpers.ts';

let clinic: Clinic;

beforeAll(async () => {
  clinic = await openClinic(createMemoryStore());
});

const principals: Readonly<Record<string, Principal>> = {
  ada: { subject: 'Practitioner/ada', scopes: ['user/*.*'] },
  'ada-by-app': { subject: 'Practitioner/ada', client: 'app', scopes: ['user/*.*'] },
  'ada-by-other': { subject: 'Practitioner/ada', client: 'other', scopes: ['user/*.*'] },
  bob: { subject: 'Practitioner/bob', scopes: ['user/*.*'] },
  nobody: { subject: 'Person/nobody', scopes: [] },
};

const authenticate = (token: string) => principals[token] ?? null;

const json = { 'content-type': 'application/json' };

/** A server that handles at most two requests of a principal, and writes whose bodies arrive when the test says. */
const openServer = (options: Partial<HttpHandlerOptions> = {}) => {
  const handler = createHandler(clinic.records, { authenticate, maxInFlight: 2, ...options });
  const begin = (token: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const request: HttpRequest = {
      method: 'PUT',
      url: '/fhir/CareTeam/amy',
      headers: { ...json, authorization: `Bearer ${token}` },
      body: () => promise,
    };
    const end = (body: object) => resolve(new TextEncoder().encode(JSON.stringify(body)));
    return { response: handler(request), end, reject };
  };
  return { begin, send: createSender(handler) };
};

test('one request more than `maxInFlight` is a 429 with `Retry-After`', async () => {
  const { begin, send } = openServer();
  const [first, second] = [begin('ada'), begin('ada')];
  const refused = await send('GET', '/CareTeam/amy', { token: 'ada' });
  expectError(refused, 429);
  expect(refused.headers['retry-after']).toBe('1');
  for (const { end } of [first, second]) end({ id: 'amy' });
  expect([(await first.response).status, (await second.response).status]).toEqual([200, 200]);
});

test('a subject and a client are counted together, and apart from others', async () => {
  const { begin, send } = openServer();
  const running = ['ada-by-app', 'ada-by-app'].map(begin);
  const statusFor = async (token: string) => (await send('GET', '/CareTeam/amy', { token })).status;
  expect(await statusFor('ada-by-app')).toBe(429);
  for (const token of ['ada', 'ada-by-other', 'bob']) expect(await statusFor(token)).toBe(200);
  for (const { end } of running) end({ id: 'amy' });
  await Promise.all(running.map(({ response }) => response));
});

describe('a request is counted until it has ended, whatever its outcome', () => {
  type End = (running: ReturnType<ReturnType<typeof openServer>['begin']>) => void;
  const fails: Partial<HttpHandlerOptions> = {
    authorize: () => {
      throw new Error('The host is away.');
    },
  };
  type Row = [outcome: string, status: number | 'rejected', end: End, options?: Partial<HttpHandlerOptions>];
  const rows: readonly Row[] = [
    ['a success', 200, ({ end }) => end({ id: 'amy' })],
    ['an error in the body', 400, ({ end }) => end({ id: 'ben' })],
    ['a host that fails', 500, ({ end }) => end({ id: 'amy' }), fails],
    ['a body that breaks off', 'rejected', ({ reject }) => reject(new Error('The client has gone.'))],
  ];
  test.each<Row>(rows)('%s', async (_outcome, status, end, options) => {
    const { begin, send } = openServer(options);
    for (const _ of [1, 2, 3]) {
      const running = [begin('ada'), begin('ada')];
      expectError(await send('GET', '/Goal?_count=0', { token: 'ada' }), 429);
      for (const one of running) end(one);
      const outcomes = await Promise.allSettled(running.map(({ response }) => response));
      const statusOf = (outcome: PromiseSettledResult<HttpResponse>) =>
        outcome.status === 'fulfilled' ? outcome.value.status : outcome.status;
      expect(outcomes.map(statusOf)).toEqual([status, status]);
    }
  });
  test('one without a scope, without a path, and one more than the limit', async () => {
    const { send } = openServer({ maxInFlight: 1 });
    for (const path of ['/Goal/walk', '/Nothing']) {
      for (const _ of [1, 2]) expect((await send('GET', path, { token: 'nobody' })).status).not.toBe(429);
    }
    await Promise.all([1, 2, 3].map(() => send('GET', '/CareTeam/amy', { token: 'ada' })));
    expect((await send('GET', '/CareTeam/amy', { token: 'ada' })).status).toBe(200);
  });
});

test('without `maxInFlight`, nothing is limited', async () => {
  const handler = createHandler(clinic.records, { authenticate });
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => createSender(handler)('GET', '/CareTeam/amy', { token: 'ada' })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

test('openapi.json describes the 429 if there is a limit, and otherwise does not', async () => {
  const describe = async (options: Partial<HttpHandlerOptions>) =>
    (await createSender(createHandler(clinic.records, options))('GET', '/openapi.json')).json;
  const limited = await describe({ maxInFlight: 4 });
  const { 429: response } = limited.paths['/Goal/{id}'].get.responses;
  expect(response).toEqual({ $ref: '#/components/responses/TooManyRequests' });
  expect(Object.keys(limited.components.responses.TooManyRequests.headers)).toContain('Retry-After');
  expect(JSON.stringify(await describe({}))).not.toContain('TooManyRequests');
});

test.each([0, -1, 1.5, Number.NaN, '4'])(
  '`maxInFlight` must be a whole number of at least 1: %j',
  (maxInFlight) => {
    expect(() => createHandler(clinic.records, { maxInFlight: maxInFlight as number })).toThrow(TypeError);
  },
);
