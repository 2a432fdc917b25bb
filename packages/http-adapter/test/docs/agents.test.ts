import { expect, test } from 'vitest';
import { principalOf } from './agents.ts';

test('a token with an actor is that of an agent, and any other is that of its user', () => {
  const claims = { fhirUser: 'Practitioner/12', scope: 'user/*.rs' };
  expect(principalOf({ ...claims, act: { sub: 'scribe' } }, [])).toMatchObject({
    subject: 'Practitioner/12',
    agent: { reference: 'Device/scribe' },
  });
  expect(principalOf(claims, [])).not.toHaveProperty('agent');
});
