import { expect, test } from 'vitest';
import { testEmbeddedHost } from '../../testing/embedded-host.ts';

const origin = testEmbeddedHost('embed-fastify');

test('under the prefix, Fastify checks neither the type of a body nor the method', async () => {
  const ask = async (method: string, headers: Readonly<Record<string, string>>, body: string | null) => {
    const response = await fetch(`${origin()}/fhir/Immunization`, {
      method,
      headers: { authorization: 'Bearer doctor-token', ...headers },
      body,
    });
    return { status: response.status, body: await response.json() };
  };
  const outcome = { resourceType: 'OperationOutcome' };
  const nonsense = { 'content-type': 'no media type' };
  expect(await ask('POST', nonsense, '{}')).toMatchObject({ status: 415, body: outcome });
  expect(await ask('PROPFIND', {}, null)).toMatchObject({ status: 405, body: outcome });
});
