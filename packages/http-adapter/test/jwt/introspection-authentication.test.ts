import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type IntrospectionOptions, introspectionAuthentication } from '../../src/jwt.ts';
import { createHandler, createRecords, createSender } from '../clinic.ts';
import { expectError } from '../response-helpers.ts';
import { audience, claimsWith, issuer, seconds, serveJson } from './authorization-server.ts';

const client = { clientId: 'records:1', clientSecret: 's%cret' };

const active = (changes: Parameters<typeof claimsWith>[0] = {}) => ({ active: true, ...claimsWith(changes) });

/** The interface with an authorization server that answers each token in this way. */
const serve = async (respond: (token: string) => unknown, options: Partial<IntrospectionOptions> = {}) => {
  const reasons: string[] = [];
  const sent: unknown[] = [];
  const server = await serveJson((body, authorization) => {
    sent.push({ authorization, body: Object.fromEntries(body) });
    return respond(body.get('token') ?? '');
  });
  const authenticate = introspectionAuthentication({
    ...{ issuer, audience, endpoint: server.url, ...client },
    onRefusal: (reason) => reasons.push(reason),
    ...options,
  });
  const causes: Error[] = [];
  const handler = createHandler(createRecords(), { authenticate, onError: (cause) => causes.push(cause) });
  return { send: createSender(handler), server, sent, reasons, causes };
};

test('an active token is valid, and the server is asked once with the credentials of the client', async () => {
  const { send, server, sent } = await serve(() => active());
  for (let count = 0; count < 3; count += 1) {
    expect(await send('GET', '/Goal', { token: 'opaque' })).toMatchObject({ status: 200 });
  }
  expect(server.requests).toBe(1);
  expect(sent).toEqual([
    {
      authorization: `Basic ${Buffer.from('records%3A1:s%25cret').toString('base64')}`,
      body: { token: 'opaque', token_type_hint: 'access_token' },
    },
  ]);
});

test.each([
  ['is active', 200],
  ['is not active', 401],
] as const)(
  'the server is asked once about a token that %s, for all requests of that moment',
  async (state, status) => {
    const { send, server } = await serve(() => ({ ...active(), active: state === 'is active' }), {
      maxAge: 0,
    });
    const ask = (token: string) => send('GET', '/Goal', { token });
    const answers = await Promise.all([...Array.from({ length: 20 }, () => ask('opaque')), ask('other')]);
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([status]));
    expect(server.requests).toBe(2);
    await ask('opaque');
    expect(server.requests).toBe(3);
  },
);

test('a server that fails is asked once for all requests of that moment, and again by the next', async () => {
  const { send, server } = await serve(() => null);
  const ask = () => send('GET', '/Goal', { token: 'opaque' });
  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([503]));
  expect(server.requests).toBe(1);
  await ask();
  expect(server.requests).toBe(2);
});

test('with a `maxAge` of 0, a token that is revoked is a 401 at once', async () => {
  let isActive = true;
  const { send } = await serve(() => ({ ...active(), active: isActive }), { maxAge: 0 });
  expect(await send('GET', '/Goal', { token: 'opaque' })).toMatchObject({ status: 200 });
  isActive = false;
  expectError(await send('GET', '/Goal', { token: 'opaque' }), 401);
});

test('a token is asked about again once it has expired, however long it would be remembered', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { send, server } = await serve(() => active({ exp }), { maxAge: 300 });
  const exp = seconds() + 60;
  const statusAt = async (second: number) => {
    vi.setSystemTime(second * 1000);
    return (await send('GET', '/Goal', { token: 'opaque' })).status;
  };
  expect([await statusAt(exp - 60), await statusAt(exp - 1), server.requests]).toEqual([200, 200, 1]);
  expect([await statusAt(exp), server.requests]).toEqual([401, 2]);
});

test.each([
  ['says when the token expires', { exp: seconds() + 60 }, 1000 * (seconds() + 60)],
  ['does not say when', { exp: undefined }, undefined],
])('the principal expires with the token, if the response %s', async (_, changes, expiresAt) => {
  const { url } = await serveJson(() => active(changes));
  const authenticate = introspectionAuthentication({ issuer, audience, endpoint: url, ...client });
  const request = { method: 'GET', url: '/', headers: {} };
  expect((await authenticate('opaque', request))?.expiresAt).toBe(expiresAt);
  // The second time, the token is remembered.
  expect((await authenticate('opaque', request))?.expiresAt).toBe(expiresAt);
});

describe('a token is a 401', () => {
  test.each<readonly [string, unknown]>([
    ['that is not active', { active: false }],
    ['whose response says "true" as a text', { ...active(), active: 'true' }],
    ['of another issuer', active({ iss: 'https://evil.example' })],
    ['for another audience', active({ aud: ['https://other.example'] })],
    ['that has expired', active({ exp: seconds() - 1 })],
    ['that is not valid yet', active({ nbf: seconds() + 60 })],
    ['that names nobody', active({ fhirUser: undefined })],
  ])('%s', async (_, response) => {
    const { send, reasons } = await serve(() => response);
    expectError(await send('GET', '/Goal', { token: 'opaque' }), 401);
    expect(reasons).toHaveLength(1);
  });
});

test('a server that fails is a 503 whose cause is reported, and the next token is asked about again', async () => {
  let hasFailed = false;
  const { send, causes } = await serve(() => (hasFailed ? active() : null));
  expectError(await send('GET', '/Goal', { token: 'opaque' }), 503);
  expect(String(causes)).toBe(
    'AuthenticationUnavailable: The authorization server cannot be asked about a token.',
  );
  expect(causes[0]?.cause).toEqual(new Error('The introspection of a token was answered with 500.'));
  hasFailed = true;
  expect(await send('GET', '/Goal', { token: 'opaque' })).toMatchObject({ status: 200 });
});

test.each([[null], [true], ['active'], [[{ active: true }]]])(
  'a response of %j is a 503',
  async (content) => {
    const { send, causes } = await serve(() => ({ toJSON: () => content }));
    expectError(await send('GET', '/Goal', { token: 'opaque' }), 503);
    expect(causes[0]?.cause).toEqual(
      new Error('The introspection of a token was not answered with a JSON object.'),
    );
  },
);

test.each<readonly [string, object]>([
  ['no secret', { clientSecret: '' }],
  ['no endpoint', { endpoint: undefined }],
  ['an endpoint without https', { endpoint: 'http://login.clinic.example' }],
  ['an endpoint with a password, which would be in errors', { endpoint: 'https://:secret@login.example' }],
  ['an age of an hour', { maxAge: 3600 }],
])('%s is refused', (_, options) => {
  const all = { issuer, audience, endpoint: 'https://login.clinic.example', ...client, ...options };
  expect(() => introspectionAuthentication(all as IntrospectionOptions)).toThrow();
});
