import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpHandler, toNodeListener } from '@clinical-records/http-adapter';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openClinic } from '../../clinic/clinic.ts';

const reported: string[] = [];
const { records } = await openClinic(':memory:');
const handler = createHttpHandler(records, {
  authenticate: () => ({ subject: 'Practitioner/12', scopes: ['user/*.*'] }),
  onError: (cause) => reported.push(String(cause)),
});
const server = createServer(
  express().use(express.json()).use(express.urlencoded()).use('/', toNodeListener(handler)),
);

beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test.each([
  ['PUT', 'CareTeam/7', 'application/json', '{"id":"7"}'],
  ['POST', 'CareTeam/_search', 'application/x-www-form-urlencoded', 'patient=none'],
])(
  'behind a parser that reads the body, %s %s is a 500, and the reason is reported to onError',
  async (method, path, type, body) => {
    const { port } = server.address() as AddressInfo;
    const headers = { authorization: 'Bearer x', 'content-type': type };
    const { status } = await fetch(`http://127.0.0.1:${port}/${path}`, { method, headers, body });
    expect([status, reported.splice(0)]).toEqual([
      500,
      [expect.stringContaining('The body was read before')],
    ]);
  },
);
