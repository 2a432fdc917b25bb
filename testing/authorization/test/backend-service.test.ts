import { jwtAuthentication } from '@clinical-records/http-adapter/jwt';
import { expect, test } from 'vitest';
import { createKey, startAuthorizationServer } from './authorization-server.ts';
import { openClinic } from './clinic.ts';
import { requestToken, serviceOf } from './request-token.ts';

test('a backend service gets a token by its key, and writes as itself what its scopes grant', async () => {
  const clinic = await openClinic();
  const key = await createKey('ES384');
  const service = serviceOf('lab-loader', key, 'system/Immunization.cruds system/*.rs');
  const authorization = await startAuthorizationServer(clinic.fhirUrl, { clients: [service] });
  const { issuer, jwks } = authorization;
  clinic.serve({ authenticate: jwtAuthentication({ issuer, audience: clinic.fhirUrl, jwks }) });
  const ask = (signingKey: typeof key, scope: string) =>
    requestToken(authorization, 'lab-loader', signingKey, scope);

  const { json } = await ask(key, 'system/Immunization.cruds system/Goal.rs');
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
  expect(await ask(stranger, 'system/*.rs')).toMatchObject({
    status: 401,
    json: { error: 'invalid_client' },
  });
});
