import { describe, expect, test } from 'vitest';
import { introspectionAuthentication, type JwtOptions, jwtAuthentication } from '../../src/jwt.ts';
import {
  audience,
  claimsWith,
  createKey,
  issuer,
  jwksOf,
  seconds,
  serveJson,
  sign,
} from './authorization-server.ts';

const key = await createKey('one');
const jwks = jwksOf(key);

type Header = { readonly typ?: string };
type Claims = Readonly<Record<string, unknown>>;

/** The subject of a token, or the reason why it is refused. */
const answerTo = async (header: Header, claims: Claims = {}, options: Partial<JwtOptions> = {}) => {
  let reason: string | undefined;
  const authenticate = jwtAuthentication({
    ...{ issuer, audience, jwks },
    onRefusal: (refusal) => {
      reason = refusal;
    },
    ...options,
  });
  const principal = await authenticate(await sign(key, claimsWith(claims), header), {} as never);
  return principal?.subject ?? reason;
};

const accepted = 'Practitioner/ada';
const notOfAccess = 'The type of the token is not that of an access token.';
const notAnAccessToken = 'The token is not an access token.';

/** The claims of Keycloak 26 for a user of a client that has its audience and a mapper for `fhirUser`. */
const keycloak = {
  jti: 'onrtac:5b0c3f1e-3c4e-4f57-9d9d-6a3a9c8e7f10',
  sub: 'f1c2b3a4-5d6e-47f8-9a0b-1c2d3e4f5a6b',
  azp: 'chart-app',
  client_id: undefined,
  sid: 'd2a1f0e9-8b7c-4d6e-9f5a-4b3c2d1e0f9a',
  acr: '1',
  'allowed-origins': ['https://app.example'],
  realm_access: { roles: ['offline_access', 'uma_authorization'] },
  scope: 'openid user/*.rs profile email',
  preferred_username: 'ada',
};

/** The claims of Auth0 for a user of an API with the profile `auth0` and an action that adds `fhirUser`. */
const auth0 = {
  sub: 'auth0|65f0c1d2e3f4a5b6c7d8e9f0',
  aud: [audience, 'https://clinic.eu.auth0.com/userinfo'],
  azp: 'kZ8x2v5yB1n4m7q0r3t6w9zC2f5h8j1L',
  client_id: undefined,
  scope: 'openid profile user/*.rs',
};

describe('an access token is accepted', () => {
  test.each<readonly [string, Header, Claims]>([
    ['with the type at+jwt', { typ: 'at+jwt' }, {}],
    ['with the type as a whole media type', { typ: 'application/at+jwt' }, {}],
    ['with the type in another case', { typ: 'AT+JWT' }, {}],
    ['with the type JWT', { typ: 'JWT' }, {}],
    ['with the type jwt', { typ: 'jwt' }, {}],
    ['without a type', {}, {}],
    ['of Keycloak', { typ: 'JWT' }, { ...keycloak, typ: 'Bearer' }],
    ['of Keycloak, with the type of RFC 9068', { typ: 'at+jwt' }, { ...keycloak, typ: 'Bearer' }],
    ['of Auth0', { typ: 'JWT' }, auth0],
    ['of Auth0, with the profile rfc9068', { typ: 'at+jwt' }, { ...auth0, client_id: auth0.azp, jti: 'x7' }],
  ])('%s', async (_, header, claims) => {
    expect(await answerTo(header, claims)).toBe(accepted);
  });
});

describe('another token of the same server, for the same audience, is refused', () => {
  test.each(['logout+jwt', 'dpop+jwt', 'secevent+jwt', 'application/logout+jwt', 'Logout+JWT', 'id+jwt', ''])(
    'with the type %j',
    async (typ) => {
      expect(await answerTo({ typ })).toBe(notOfAccess);
    },
  );

  test.each(['ID', 'Refresh', 'Offline', 'Logout'])('of Keycloak, of the kind %s', async (typ) => {
    expect(await answerTo({ typ: 'JWT' }, { ...keycloak, typ })).toBe(notAnAccessToken);
  });

  test.each([
    { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } },
    { events: {} },
    { events: null },
  ])('with %j, as a logout token has it', async (events) => {
    expect(await answerTo({ typ: 'JWT' }, { ...events, sid: 's-1', jti: 'l-1' })).toBe(notAnAccessToken);
  });
});

describe('a host that demands at+jwt', () => {
  test.each(['at+jwt', 'application/at+jwt', 'AT+JWT'])('accepts %s', async (typ) => {
    expect(await answerTo({ typ }, {}, { typ: 'at+jwt' })).toBe(accepted);
  });

  test.each<Header>([{ typ: 'JWT' }, { typ: 'logout+jwt' }, {}])('refuses %j', async (header) => {
    expect(await answerTo(header, {}, { typ: 'at+jwt' })).toBe('The token does not have the type at+jwt.');
  });

  test('refuses another kind of that type', async () => {
    expect(await answerTo({ typ: 'at+jwt' }, { typ: 'Refresh' }, { typ: 'at+jwt' })).toBe(notAnAccessToken);
  });
});

describe('an active token that is introspected', () => {
  const introspect = async (claims: Claims) => {
    const { url: endpoint } = await serveJson(() => ({ active: true, ...claimsWith(claims) }));
    const client = { clientId: 'records', clientSecret: 'secret' };
    const principal = await introspectionAuthentication({ issuer, audience, endpoint, ...client })(
      'opaque',
      {} as never,
    );
    return principal?.subject ?? null;
  };

  test('is accepted if it is an access token', async () => {
    expect(await introspect({ token_type: 'Bearer' })).toBe(accepted);
    expect(await introspect({ ...keycloak, typ: 'Bearer', username: 'ada', exp: seconds() + 60 })).toBe(
      accepted,
    );
  });

  test.each(['ID', 'Refresh', 'Offline', 'Logout'])('is refused if it is of the kind %s', async (typ) => {
    expect(await introspect({ ...keycloak, typ })).toBeNull();
  });

  test('is refused if it has events', async () => {
    expect(
      await introspect({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }),
    ).toBeNull();
  });
});
