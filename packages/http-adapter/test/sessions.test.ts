import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeEach, describe, expect, test } from 'vitest';
import type { HttpHandler, HttpHandlerOptions, HttpRequest } from '../src/index.ts';
import { toFetch } from '../src/index.ts';
import { ada, enteredInError, statement, team } from './builders.ts';
import { authenticate, type Clinic, createHandler, createSender, openClinic } from './clinic.ts';
import { expectError } from './response-helpers.ts';

/** The principal of a cookie such as `session=full`: the same people as those of the tokens. */
const authenticateSession = ({ headers }: HttpRequest) =>
  authenticate(/(?:^|; )session=(\w+)/.exec(String(headers.cookie))?.[1] ?? '');

const withSession = (name: string, headers: Readonly<Record<string, string>> = {}) => ({
  token: null,
  headers: { cookie: `theme=dark; session=${name}`, ...headers },
});

const json = { 'content-type': 'application/json' };

let clinic: Clinic;
let handler: HttpHandler;
let send: ReturnType<typeof createSender>;

const handlerWith = (options: Partial<HttpHandlerOptions>) => createHandler(clinic.records, options);

beforeEach(async () => {
  clinic = await openClinic(createMemoryStore());
  handler = handlerWith({ authenticateSession });
  send = createSender(handler);
});

test('a session reads and writes what its scopes grant, with its subject as the author', async () => {
  expect(await send('GET', '/CareTeam/amy', withSession('full'))).toMatchObject({ status: 200 });
  const body = team(ada);
  expect(await send('PUT', '/CareTeam/amy', { ...withSession('full', json), body })).toMatchObject({
    status: 200,
  });
  expect((await clinic.feed()).at(-1)).toMatchObject({ by: 'Practitioner/ada' });
  expectError(await send('PUT', '/CareTeam/amy', { ...withSession('reader', json), body }), 403);
});

describe('without valid credentials, a request is a 401 with `WWW-Authenticate`', () => {
  test.each<readonly [string, Parameters<typeof send>[2]]>([
    ['no session', { token: null }],
    ['an unknown session', withSession('expired')],
    ['a token that is not valid, beside a session that is', { ...withSession('full'), token: 'expired' }],
    ['another scheme beside a session', withSession('full', { authorization: 'Basic ZnVsbDo=' })],
    ['an empty header beside a session', withSession('full', { authorization: '' })],
  ])('%s', async (_, sent) => {
    const answer = await send('GET', '/Goal', sent);
    expectError(answer, 401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  test.each([undefined, false, '', 0])(
    'a host in JavaScript that returns %j for a session',
    async (answer) => {
      const handler = handlerWith({ authenticateSession: () => answer as never });
      expectError(await createSender(handler)('GET', '/Goal', { token: null }), 401);
    },
  );

  test('and a session, if the host has none', async () => {
    expectError(await createSender(handlerWith({}))('GET', '/Goal', withSession('full')), 401);
  });
});

test('neither function is called for the other kind: without a token, a host cannot match an unset one', async () => {
  const received: unknown[] = [];
  const handler = handlerWith({
    authenticate: (token) => {
      received.push(token);
      return null;
    },
    authenticateSession: () => {
      received.push('session');
      return null;
    },
  });
  await createSender(handler)('GET', '/Goal', { token: 'one' });
  await createSender(handler)('GET', '/Goal', { token: null });
  expect(received).toEqual(['one', 'session']);
});

describe('a page of another site cannot make a browser write in a session', () => {
  const writes = [
    ['POST', '/Immunization', statement()],
    ['PUT', '/CareTeam/amy', team(ada)],
    ['PUT', '/Immunization/shot', enteredInError()],
  ] as const;

  // The requests that a browser sends without a preflight. Source: Fetch, "CORS-safelisted request-header".
  test.each([
    {},
    { 'content-type': '' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'text/plain; application/json' },
    { 'content-type': 'text/plain, application/json' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'multipart/form-data; boundary=x' },
  ])('with the headers %j', async (headers: Readonly<Record<string, string>>) => {
    const before = await clinic.feed();
    for (const [method, path, body] of writes) {
      expectError(await send(method, path, { ...withSession('full', headers), body }), 415);
    }
    expect(await clinic.feed()).toEqual(before);
  });

  test('but a token without a content type of the body can only come from the sender', async () => {
    expect(await send('POST', '/Immunization', { body: statement() })).toMatchObject({ status: 201 });
  });

  test('and a preflight is not allowed: no response has a header of CORS', async () => {
    const answer = await send('OPTIONS', '/Immunization', {
      token: null,
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(answer.status).toBe(401);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

test('a host reads the session where its framework keeps it: on the message or the request of the server', async () => {
  const sources: unknown[] = [];
  const seen = toFetch(
    handlerWith({
      authenticateSession: ({ source }) => {
        sources.push(source);
        return null;
      },
    }),
  );
  const request = new Request('http://127.0.0.1/fhir/Goal');
  await seen(request);
  expect(sources).toEqual([request]);
});

test('what is not a function cannot authenticate a session', () => {
  expect(() => handlerWith({ authenticateSession: {} as never })).toThrow(
    new TypeError('authenticateSession must be a function.'),
  );
});
