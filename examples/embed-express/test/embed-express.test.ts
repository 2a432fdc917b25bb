import { expect, test } from 'vitest';
import { testEmbeddedHost } from '../../testing/embedded-host.ts';

const origin = testEmbeddedHost('embed-express');

const send = (path: string, cookie: string, init: RequestInit = {}) =>
  fetch(`${origin()}/fhir${path}`, { ...init, headers: { cookie, ...init.headers } });

test('a browser reads and writes by the cookie of its session', async () => {
  expect((await send('/CareTeam/7', 'theme=dark; session=nurse-token')).status).toBe(200);
  expect((await send('/CareTeam/7', 'session=desk-token')).status).toBe(403);
  for (const cookie of ['session=expired', 'nosession=nurse-token', 'session=']) {
    expect((await send('/CareTeam/7', cookie)).status).toBe(401);
  }
});

test('a page of another site cannot write by the cookie, because it cannot send JSON', async () => {
  const body = JSON.stringify({ id: '7', participant: [] });
  const put = async (type: Readonly<Record<string, string>>) =>
    (await send('/CareTeam/7', 'session=doctor-token', { method: 'PUT', body, headers: type })).status;
  expect(await put({ 'content-type': 'text/plain' })).toBe(415);
  const team = await send('/CareTeam/7', 'session=doctor-token');
  expect(await team.json()).toMatchObject({ participant: [{ member: { reference: 'Practitioner/12' } }] });
});
