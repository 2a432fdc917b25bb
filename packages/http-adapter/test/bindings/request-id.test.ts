import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test } from 'vitest';
import type { ErrorContext } from '../../src/index.ts';
import { createHandler, createSender, openClinic } from '../clinic.ts';

const clinic = await openClinic(createMemoryStore());

const send = createSender(createHandler(clinic.records, { cors: { origins: '*' } }));

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const idOf = async (method: string, path: string, headers: Readonly<Record<string, string>>) =>
  (await send(method, path, { headers })).headers['x-request-id'];

describe('a response has the `X-Request-Id` of the request, whatever the response', () => {
  test.each([
    ['a read', 'GET', '/CareTeam/amy', 'Bearer full'],
    ['an error', 'GET', '/Goal/none', 'Bearer full'],
    ['a 401', 'GET', '/Goal', 'Bearer expired'],
    ['a description', 'GET', '/metadata', ''],
    ['a preflight', 'OPTIONS', '/Goal', ''],
  ])('%s', async (_, method, path, authorization) => {
    const headers = {
      authorization,
      'access-control-request-method': 'GET',
      'x-request-id': 'proxy-1:2.3_4',
    };
    expect(await idOf(method, path, headers)).toBe('proxy-1:2.3_4');
  });
});

describe('an id that is missing, long, or not plain is replaced by a new one', () => {
  test.each(['', 'a'.repeat(65), 'two words', 'a\nb', '{"json":1}', 'é'])('%j', async (sent) => {
    const id = await idOf('GET', '/Goal', { 'x-request-id': sent });
    expect(id).toMatch(uuid);
    expect(id).not.toBe(await idOf('GET', '/Goal', { 'x-request-id': sent }));
  });
});

test('`onError` gets the id that the response has', async () => {
  const contexts: ErrorContext[] = [];
  const handler = createHandler(clinic.records, {
    authenticate: () => {
      throw new Error('down');
    },
    onError: (_, context) => contexts.push(context),
  });
  const { status, headers } = await handler({
    method: 'GET',
    url: '/fhir/Goal',
    headers: { authorization: 'Bearer x' },
  });
  expect(status).toBe(500);
  expect(headers['x-request-id']).toMatch(uuid);
  expect(contexts).toMatchObject([{ requestId: headers['x-request-id'] }]);
});
