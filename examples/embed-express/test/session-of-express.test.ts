import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpHandler, toNodeListener } from '@clinical-records/http-adapter';
import express, { type Request } from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openClinic } from '../../clinic/clinic.ts';

/** A request of Express on which a middleware for sessions has put one. */
type InSession = Request & { session?: { readonly user: string } };

const { records } = await openClinic(':memory:');
const handler = createHttpHandler(records, {
  authenticate: () => null,
  authenticateSession: ({ source }) => {
    const { session } = source as InSession;
    return session === undefined
      ? null
      : { subject: `Practitioner/${session.user}`, scopes: ['user/*.read'] };
  },
});
const app = express();
app.use((request: InSession, _, next) => {
  if (request.get('cookie') === 'sid=1') request.session = { user: 'Practitioner/12' };
  next();
});
app.use('/', toNodeListener(handler));
const server = createServer(app);

beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('a session is read from the request of Express, where a middleware has put it', async () => {
  const { port } = server.address() as AddressInfo;
  const statusWith = async (cookie: string) =>
    (await fetch(`http://127.0.0.1:${port}/CareTeam/7`, { headers: { cookie } })).status;
  expect(await statusWith('sid=1')).toBe(200);
  expect(await statusWith('sid=2')).toBe(401);
});
