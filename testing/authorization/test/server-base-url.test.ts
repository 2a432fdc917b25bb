import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { createAuthenticate } from '../../../examples/server/access/create-authenticate.ts';
import { createKey } from './authorization-server.ts';
import { listen } from './listen.ts';

test('the example server knows people under its --base-url, and no others', async () => {
  const { origin: issuer, serve } = await listen();
  const { alg, kid, privateKey, publicJwk } = await createKey('ES384');
  serve((_, response) => response.end(JSON.stringify({ keys: [publicJwk] })));
  const authenticate = createAuthenticate(
    { _tag: 'AuthorizationServer', jwks: `${issuer}/jwks`, issuer, audience: 'clinical-records' },
    { signal: new AbortController().signal, log: () => {}, baseUrl: 'https://clinic.example/fhir' },
  );
  const subjectFor = async (fhirUser: string) => {
    const token = await new SignJWT({ iss: issuer, aud: 'clinical-records', fhirUser })
      .setProtectedHeader({ alg, kid })
      .setExpirationTime('5m')
      .sign(privateKey);
    return (await authenticate(token, {} as never))?.subject;
  };
  expect(await subjectFor('https://clinic.example/fhir/Practitioner/12')).toBe('Practitioner/12');
  const foreign = 'https://other.example/Practitioner/12';
  expect(await subjectFor(foreign)).toBe(foreign);
});
