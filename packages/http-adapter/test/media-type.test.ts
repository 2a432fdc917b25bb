import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { openClinic } from './clinic.ts';

test('an accept without a value leaves the choice', async () => {
  const { send } = await openClinic(createMemoryStore());
  expect((await send('GET', '/Goal', { headers: { accept: '' } })).headers['content-type']).toBe(
    'application/json',
  );
});

test('application/fhir+json is offered for errors, too', async () => {
  const { send } = await openClinic(createMemoryStore());
  const answer = await send('GET', '/Goal/nope', { headers: { accept: 'application/fhir+json' } });
  expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/fhir+json']);
});
