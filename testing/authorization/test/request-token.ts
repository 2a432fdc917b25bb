import { SignJWT } from 'jose';
import type { createKey, startAuthorizationServer } from './authorization-server.ts';

type Key = Awaited<ReturnType<typeof createKey>>;
type AuthorizationServer = Awaited<ReturnType<typeof startAuthorizationServer>>;

/** A service as the authorization server knows it: by its public key. */
export const serviceOf = (client_id: string, { alg, publicJwk }: Key, scope: string) => ({
  ...{ client_id, scope, jwks: { keys: [publicJwk] } },
  token_endpoint_auth_method: 'private_key_jwt' as const,
  token_endpoint_auth_signing_alg: alg as 'ES384',
  ...{ grant_types: ['client_credentials'], response_types: [], redirect_uris: [] },
});

/** A service asks for a token, and proves by its private key who it is. Source: SMART App Launch 2.2, "Backend Services". */
export const requestToken = async (
  { issuer, token: endpoint }: AuthorizationServer,
  clientId: string,
  { kid, alg, privateKey }: Key,
  scope: string,
) => {
  const assertion = await new SignJWT({ iss: clientId, sub: clientId, aud: issuer })
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
