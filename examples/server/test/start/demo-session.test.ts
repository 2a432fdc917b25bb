import type { HttpRequest } from '@clinical-records/http-adapter';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDemoSessions, demoSessionPath } from '../../access/demo-session.ts';
import { demoUsers } from '../../demo/demo-users.ts';

const grant = { token: 'secret', principal: { subject: 'Person/x' as const, scopes: [] } };
const site = {
  ...{ hasDemo: true, host: '127.0.0.1', baseUrl: null },
  access: { _tag: 'PrintedToken' as const, grant },
};
const users = demoUsers(site);
const sessions = createDemoSessions(users, 'secret');
const [user] = users;

const request = (
  method: string,
  more: Partial<HttpRequest> & { readonly cookie?: string } = {},
): HttpRequest => ({
  ...{ method, url: demoSessionPath },
  ...more,
  headers: {
    ...{ host: '127.0.0.1:3000', 'content-type': 'application/json', cookie: more.cookie },
    ...more.headers,
  },
});

const signIn = async (more: Partial<HttpRequest> = {}) =>
  sessions.respond(request('POST', { body: JSON.stringify({ id: user?.id }), ...more }));

const cookieOf = async () => ((await signIn()).headers['set-cookie'] ?? '').split(';')[0] ?? '';

test('a visitor of the demo signs in, and is that practitioner until the sign-out', async () => {
  const response = await signIn();
  expect([response.status, response.body]).toEqual([204, '']);
  expect(response.headers['set-cookie']).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
  const cookie = await cookieOf();
  expect(sessions.authenticate(request('GET', { cookie }))).toMatchObject({
    subject: `Practitioner/${user?.id}`,
  });
  expect(JSON.parse((await sessions.respond(request('GET', { cookie: `a=b; ${cookie}` }))).body)).toEqual(
    user,
  );
  const out = await sessions.respond(request('DELETE', { cookie }));
  expect(out.headers['set-cookie']).toMatch(/^clinical-records-demo=; Max-Age=0; /);
});

test('a session lasts twelve hours, which nobody can prolong', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const expiresAt = Date.now() + 12 * 60 * 60 * 1000;
  const cookie = await cookieOf();
  expect(sessions.authenticate(request('GET', { cookie }))).toMatchObject({ expiresAt });
  const prolonged = cookie.replace(`${expiresAt}`, `${expiresAt + 1}`);
  expect(prolonged).not.toBe(cookie);
  expect(sessions.authenticate(request('GET', { cookie: prolonged }))).toBeNull();
  vi.setSystemTime(expiresAt);
  expect(sessions.authenticate(request('GET', { cookie }))).toBeNull();
  expect((await sessions.respond(request('GET', { cookie }))).body).toBe('null');
});

test('a page that shows another user than the cookie is of nobody', async () => {
  const cookie = await cookieOf();
  const authenticateAs = (id: string | undefined) =>
    sessions.authenticate(request('GET', { cookie, headers: { 'demo-user': id } }));
  expect(authenticateAs(user?.id)).not.toBeNull();
  expect(authenticateAs(users[1]?.id)).toBeNull();
});

test('a cookie that the server did not make is worth nothing', async () => {
  const cookie = await cookieOf();
  const others = [
    'clinical-records-demo=',
    `clinical-records-demo=${user?.id}.`,
    cookie.replace(`${user?.id}`, `${users[1]?.id}`),
    `${cookie}x`,
  ];
  for (const other of others) expect(sessions.authenticate(request('GET', { cookie: other }))).toBeNull();
  expect(createDemoSessions(users, 'other').authenticate(request('GET', { cookie }))).toBeNull();
});

test.each([
  ['from a page of another site', { headers: { 'content-type': 'text/plain' } }, 415],
  ['by the name of another site', { headers: { host: 'evil.example:3000' } }, 404],
  ['through a proxy', { headers: { 'x-forwarded-for': '203.0.113.7' } }, 404],
  ['by a name that begins like this machine', { headers: { host: '127.0.0.1.evil.example' } }, 404],
  ['as nobody of the clinic', { body: '{"id":"demo-practitioner-2"}' }, 403],
  ['without JSON', { body: 'x' }, 403],
])('nobody signs in %s', async (_, more, status) => {
  const response = await signIn(more);
  expect([response.status, response.headers['set-cookie']]).toEqual([status, undefined]);
});

test.each([
  ['without the demo', { hasDemo: false }],
  ['with tokens of a host', { access: { _tag: 'TokensFile' as const, file: 'tokens.json' } }],
  ['where other machines reach the server', { host: '0.0.0.0' }],
  ['behind a proxy', { baseUrl: 'https://clinic.example/fhir' }],
])('nobody can sign in %s', async (_, other) => {
  expect(demoUsers({ ...site, ...other })).toEqual([]);
  expect((await createDemoSessions([], '').respond(request('GET'))).status).toBe(404);
});
