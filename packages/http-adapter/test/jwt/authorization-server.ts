import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { onTestFinished } from 'vitest';

export const issuer = 'https://login.clinic.example';
export const audience = 'https://clinic.example/fhir';

/** A key of an authorization server, in both halves. */
export type SigningKey = {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
};

export const createKey = async (kid: string, alg = 'ES256'): Promise<SigningKey> => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
};

export const jwksOf = (...keys: readonly SigningKey[]): JSONWebKeySet => ({
  keys: keys.map(({ publicJwk }) => publicJwk),
});

export const seconds = (): number => Math.floor(Date.now() / 1000);

/** The claims of a doctor's token, valid for five minutes, with changes. */
export const claimsWith = (changes: Readonly<Record<string, unknown>> = {}): JWTPayload => ({
  iss: issuer,
  aud: audience,
  sub: 'u-1',
  client_id: 'chart-app',
  fhirUser: 'https://clinic.example/fhir/Practitioner/ada',
  scope: 'openid launch user/*.cruds',
  iat: seconds(),
  exp: seconds() + 300,
  ...changes,
});

/** Signs claims. Without a `typ`, the header has none. */
export const sign = (
  { kid, alg, privateKey }: SigningKey,
  claims = claimsWith(),
  header: { readonly typ?: string } = { typ: 'at+jwt' },
): Promise<string> => new SignJWT(claims).setProtectedHeader({ alg, kid, ...header }).sign(privateKey);

/** Serves a JSON document on this machine, and counts the requests. */
export const serveJson = async (
  respond: (body: URLSearchParams, authorization: string | undefined) => unknown,
) => {
  const served = { url: '', requests: 0 };
  const server = createServer(async (request, response) => {
    served.requests += 1;
    let body = '';
    for await (const part of request) body += part;
    const answer = await respond(new URLSearchParams(body), request.headers.authorization);
    response.writeHead(answer === null ? 500 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  served.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return served;
};
