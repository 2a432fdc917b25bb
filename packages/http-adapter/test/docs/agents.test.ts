import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { authenticate, openClinic } from '../clinic.ts';
import { openForAgents, principalOf } from './agents.ts';

test('a token with an actor is that of an agent, and any other is that of its user', () => {
  const claims = { fhirUser: 'Practitioner/12', scope: 'user/*.rs' };
  expect(principalOf({ ...claims, act: { sub: 'scribe' } }, [])).toMatchObject({
    subject: 'Practitioner/12',
    agent: { reference: 'Device/scribe' },
  });
  expect(principalOf(claims, [])).not.toHaveProperty('agent');
});

test('the handler of the page serves agents, and everybody else', async () => {
  const { records } = await openClinic(createMemoryStore());
  const handler = openForAgents(records, authenticate);
  const get = async (url: string, token: string) =>
    handler({ method: 'GET', url, headers: { authorization: `Bearer ${token}` } });
  expect((await get('/fhir/Goal?patient=amy', 'full')).status).toBe(200);
  expect((await get('/mcp', 'full')).status).toBe(405);
  const refused = await handler({ method: 'POST', url: '/mcp', headers: {} });
  expect(refused.headers['www-authenticate']).toMatch(/resource_metadata="https:\/\/clinic\.example\//);
});
