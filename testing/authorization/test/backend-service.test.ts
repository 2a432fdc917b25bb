import { jwtAuthentication } from '@clinical-records/http-adapter/jwt';
import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { createKey, startAuthorizationServer } from './authorization-server.ts';
import { openClinic } from './clinic.ts';

type Key = Awaited<ReturnType<typeof createKey>>;

/** A service asks for a token, and proves by its private key who it is. Source: SMART App Launch 2.2, "Backend Services". */
const requestToken = async (
  endpoint: string,
  issuer: string,
  { kid, alg, privateKey }: Key,
  scope: string,
) => {
  const assertion = await new SignJWT({ iss: 'lab-loader', sub: 'lab-loader', aud: issuer })
    .setProtectedHeader({ alg, kid, typ: 'JWT' })
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(privateKey);
  const response = await fetch(endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    }),
  });
  return { status: response.status, json: JSON.parse(await response.text()) };
};

test('a backend service gets a token by its key, and writes as itself what its scopes grant', async () => {
  const clinic = await openClinic();
  const key = await createKey('ES384');
  const service = {
    client_id: 'lab-loader',
    token_endpoint_auth_method: 'private_key_jwt' as const,
    token_endpoint_auth_signing_alg: 'ES384' as const,
    jwks: { keys: [key.publicJwk] },
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    scope: 'system/Immunization.cruds system/*.rs',
  };
  const {
    issuer,
    jwks,
    token: endpoint,
  } = await startAuthorizationServer(clinic.fhirUrl, { clients: [service] });
  clinic.serve({ authenticate: jwtAuthentication({ issuer, audience: clinic.fhirUrl, jwks }) });

  const { json } = await requestToken(endpoint, issuer, key, 'system/Immunization.cruds system/Goal.rs');
  expect(json).toMatchObject({ token_type: 'Bearer', expires_in: 300, scope: 'system/Immunization.cruds' });
  const statement = {
    status: 'completed',
    vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '03' }] },
    patient: { reference: 'Patient/ben' },
    occurrenceDateTime: '2001',
    primarySource: false,
  };
  const post = { method: 'POST', body: JSON.stringify(statement) };
  expect((await clinic.request('/Immunization', json.access_token, post)).status).toBe(201);
  const found = (await clinic.request('/Immunization?patient=ben', json.access_token)).json;
  expect(found).toMatchObject({ total: 1 });
  expect(await clinic.records.immunizations.history(found.entry[0].resource.id)).toMatchObject([
    { by: 'Device/lab-loader' },
  ]);
  // It may have `system/*.rs`, and did not ask for it.
  expect((await clinic.request('/Goal', json.access_token)).status).toBe(403);

  const stranger = { ...(await createKey('ES384')), kid: key.kid };
  expect(await requestToken(endpoint, issuer, stranger, 'system/*.rs')).toMatchObject({
    status: 401,
    json: { error: 'invalid_client' },
  });
});
