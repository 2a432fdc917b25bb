import { SignJWT, UnsecuredJWT } from 'jose';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { AuthenticationUnavailable, type Principal } from '../../src/index.ts';
import { type JwtOptions, jwtAuthentication, principalOfClaims } from '../../src/jwt.ts';
import { createHandler, createRecords, createSender } from '../clinic.ts';
import { expectError } from '../response-helpers.ts';
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
const other = await createKey('two');
const rsa = await createKey('rsa', 'RS256');
const jwks = jwksOf(key, rsa);

/** The response for a token, the reasons for a log, and the reported errors. */
const answerFor = async (token: string, options: Partial<JwtOptions> = {}) => {
  const reasons: string[] = [];
  const authenticate = jwtAuthentication({
    ...{ issuer, audience, jwks },
    onRefusal: (reason) => reasons.push(reason),
    ...options,
  });
  const causes: Error[] = [];
  const handler = createHandler(createRecords(), { authenticate, onError: (cause) => causes.push(cause) });
  const answer = await createSender(handler)('GET', '/Goal', { token });
  return { answer, reasons, causes };
};

const expectAccepted = async (token: string, options: Partial<JwtOptions> = {}) => {
  expect(await answerFor(token, options)).toMatchObject({ answer: { status: 200 }, reasons: [] });
};

/** The token is a 401 in the form of the interface, and the log has a reason without the token. */
const expectRefused = async (token: string, options: Partial<JwtOptions> = {}) => {
  const { answer, reasons, causes } = await answerFor(token, options);
  expectError(answer, 401);
  expect(answer.headers['www-authenticate']).toBe('Bearer');
  expect(causes).toEqual([]);
  expect(reasons).toEqual([expect.any(String)]);
  expect(reasons[0]).not.toContain(token.split('.')[1]);
};

describe('a token that the authorization server has signed is valid', () => {
  test.each(['RS256', 'RS384', 'PS256', 'ES256', 'ES384', 'EdDSA'])('with %s', async (alg) => {
    const signing = await createKey('k', alg);
    await expectAccepted(await sign(signing), { jwks: jwksOf(signing) });
  });

  test('for one of several audiences, of one of several issuers', async () => {
    const token = await sign(key, claimsWith({ aud: ['https://other.example', audience] }));
    await expectAccepted(token, { issuer: ['https://old.example', issuer] });
  });

  test('up to the difference that the clocks may have', async () => {
    await expectAccepted(await sign(key, claimsWith({ exp: seconds() - 20 })));
    await expectAccepted(await sign(key, claimsWith({ nbf: seconds() + 20 })));
    await expectRefused(await sign(key, claimsWith({ exp: seconds() - 1 })), { clockTolerance: 0 });
  });
});

test.each([
  [{}, 30],
  [{ clockTolerance: 0 }, 0],
] as const)(
  'the principal of a token expires when the token is not accepted any more, with a tolerance of %j',
  async (options, tolerance) => {
    const authenticate = jwtAuthentication({ issuer, audience, jwks, ...options });
    const exp = seconds() + 60;
    const principal = await authenticate(await sign(key, claimsWith({ exp })), {
      method: 'GET',
      url: '/',
      headers: {},
    });
    expect(principal?.expiresAt).toBe(1000 * (exp + tolerance));
  },
);

test('a time that the host gives its principal is kept', async () => {
  const principalOf = (): Principal => ({ subject: 'Person/x', scopes: '', expiresAt: 7 });
  const authenticate = jwtAuthentication({ issuer, audience, jwks, principalOf });
  expect(await authenticate(await sign(key), { method: 'GET', url: '/', headers: {} })).toMatchObject({
    expiresAt: 7,
  });
});

describe('a token that is not valid is a 401', () => {
  const forge = (header: object, payload: object, signature = '') =>
    [
      ...[header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')),
      signature,
    ].join('.');

  const signWithExtension = (name: string) =>
    new SignJWT(claimsWith())
      .setProtectedHeader({ alg: 'ES256', kid: 'one', crit: [name], [name]: 1 })
      .sign(key.privateKey, { crit: { [name]: true } });

  test.each<readonly [string, () => string | Promise<string>]>([
    ['without a signature (`alg: none`)', () => new UnsecuredJWT(claimsWith()).encode()],
    ['with `alg: none` and the id of a key', () => forge({ alg: 'none', kid: 'one' }, claimsWith())],
    [
      'signed by HS256 with the public key as the secret',
      () =>
        new SignJWT(claimsWith())
          .setProtectedHeader({ alg: 'HS256', kid: 'rsa' })
          .sign(new TextEncoder().encode(JSON.stringify(rsa.publicJwk))),
    ],
    ['signed by another key under the id of ours', () => sign({ ...other, kid: 'one' })],
    ['signed by a key that is not in the set', () => sign(other)],
    [
      'with a key of its own in the header',
      () =>
        new SignJWT(claimsWith())
          .setProtectedHeader({ alg: 'ES256', jwk: other.publicJwk })
          .sign(other.privateKey),
    ],
    [
      'with other claims than were signed',
      async () => {
        const [header, , signature] = (await sign(key)).split('.');
        const claims = Buffer.from(JSON.stringify(claimsWith({ sub: 'admin' }))).toString('base64url');
        return [header, claims, signature].join('.');
      },
    ],
    ['for another audience', () => sign(key, claimsWith({ aud: 'https://other.example' }))],
    ['without an audience', () => sign(key, claimsWith({ aud: undefined }))],
    ['of another issuer', () => sign(key, claimsWith({ iss: 'https://evil.example' }))],
    ['without an issuer', () => sign(key, claimsWith({ iss: undefined }))],
    ['that has expired', () => sign(key, claimsWith({ exp: seconds() - 60 }))],
    ['that never expires', () => sign(key, claimsWith({ exp: undefined }))],
    ['that is not valid yet', () => sign(key, claimsWith({ nbf: seconds() + 120 }))],
    ['with an extension that must be understood', () => signWithExtension('https://x.example')],
    ['that names no user and no client', () => sign(key, claimsWith({ fhirUser: undefined }))],
    ['that is no JWT', () => 'opaque'],
  ])('%s', async (_, make) => expectRefused(await make()));

  test('and the reason for a log contains no text that the sender of the token chose', async () => {
    const { reasons } = await answerFor(await signWithExtension('x\n2026-03-01 A forged line'));
    expect(reasons).toEqual(['The token needs an extension or an algorithm that is not supported.']);
  });

  test('signed by an algorithm that the host does not accept', async () => {
    await expectAccepted(await sign(rsa), { algorithms: ['RS256'] });
    await expectRefused(await sign(key), { algorithms: ['RS256'] });
  });
});

describe('the keys of a URL', () => {
  const reader = (url: string, options: Partial<JwtOptions> = {}) =>
    jwtAuthentication({ issuer, audience, jwks: url, ...options });

  test('are fetched once for many tokens', async () => {
    const server = await serveJson(() => jwks);
    const authenticate = reader(server.url);
    const token = await sign(key);
    for (let count = 0; count < 5; count += 1) expect(await authenticate(token, {} as never)).not.toBeNull();
    expect(server.requests).toBe(1);
  });

  test('are not fetched for each token of an unknown key', async () => {
    const server = await serveJson(() => jwks);
    const authenticate = reader(server.url);
    const unknown = await sign(other);
    const answers = await Promise.all(Array.from({ length: 20 }, () => authenticate(unknown, {} as never)));
    expect(answers).toEqual(Array.from({ length: 20 }, () => null));
    expect(await authenticate(unknown, {} as never)).toBeNull();
    expect(server.requests).toBe(1);
  });

  test('that are too old are fetched again: a new key is valid, and one that was taken out is not', async () => {
    let keys = jwksOf(key);
    const server = await serveJson(() => keys);
    const authenticate = reader(server.url, { keysMaxAge: 0 });
    expect(await authenticate(await sign(key), {} as never)).not.toBeNull();
    keys = jwksOf(other);
    expect(await authenticate(await sign(key), {} as never)).toBeNull();
    expect(await authenticate(await sign(other), {} as never)).not.toBeNull();
  });

  test.each([
    ['cannot be fetched', () => null],
    ['are no keys', () => 'none'],
  ])('that %s are a 503 whose cause is reported, and not a 401', async (_, respond) => {
    const server = await serveJson(respond);
    const { answer, reasons, causes } = await answerFor(await sign(key), { jwks: server.url });
    expectError(answer, 503);
    expect(answer.json.issue[0].details.coding[0].code).toBe('authentication-unavailable');
    expect(reasons).toEqual([]);
    expect(String(causes)).toBe(
      'AuthenticationUnavailable: The keys of the authorization server cannot be used.',
    );
    expect(causes[0]?.cause).toBeInstanceOf(Error);
  });

  describe('that cannot be fetched any more', () => {
    afterEach(() => {
      vi.useRealTimers();
    });

    /** Fetches keys, and lets the server fail after that, in the way of `respond`. */
    const failAfterFetch = async (options: Partial<JwtOptions> = {}) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      let answer: unknown = jwks;
      const server = await serveJson(() => answer);
      const authenticate = reader(server.url, options);
      const inAWeek = seconds() + 7 * 86_400;
      const tokens = {
        ours: await sign(key, claimsWith({ exp: inAWeek })),
        unknown: await sign(other, claimsWith({ exp: inAWeek })),
      };
      const ask = (name: keyof typeof tokens = 'ours') => authenticate(tokens[name], {} as never);
      expect(await ask()).not.toBeNull();
      answer = null;
      return {
        server,
        ask,
        respondWith: (content: unknown) => {
          answer = content;
        },
        later: (passed: number) => vi.setSystemTime(Date.now() + 1000 * passed),
      };
    };

    test('are those of the last fetch for an hour more, and then there are none', async () => {
      const { ask, later } = await failAfterFetch();
      later(600);
      expect(await ask()).not.toBeNull();
      later(3599);
      expect(await ask()).not.toBeNull();
      later(1);
      await expect(ask()).rejects.toThrow(AuthenticationUnavailable);
    });

    test('are not used at all with `keysStaleIfError: 0`', async () => {
      const { ask, later } = await failAfterFetch({ keysStaleIfError: 0 });
      later(599);
      expect(await ask()).not.toBeNull();
      later(1);
      await expect(ask()).rejects.toThrow(AuthenticationUnavailable);
    });

    test('are fetched again every five seconds, and not for each token', async () => {
      const { server, ask, later } = await failAfterFetch();
      later(600);
      for (const requests of [2, 3, 4]) {
        const answers = await Promise.all(Array.from({ length: 20 }, () => ask()));
        expect(answers).not.toContain(null);
        // It waits for the fetch, for which those before need not wait.
        await expect(ask('unknown')).rejects.toThrow(AuthenticationUnavailable);
        expect(await ask()).not.toBeNull();
        expect(server.requests).toBe(requests);
        later(5);
      }
    });

    test('are replaced as soon as they can be fetched', async () => {
      const { server, ask, later, respondWith } = await failAfterFetch();
      later(600);
      expect(await ask()).not.toBeNull();
      later(5);
      respondWith(jwksOf(other));
      expect(await ask('unknown')).not.toBeNull();
      expect(await ask()).toBeNull();
      expect(server.requests).toBe(3);
    });

    test('do not say whether an unknown key is new: its tokens are a 503 until they can be fetched', async () => {
      const { server, ask, later, respondWith } = await failAfterFetch();
      expect(await ask('unknown')).toBeNull();
      later(30);
      await expect(ask('unknown')).rejects.toThrow(AuthenticationUnavailable);
      await expect(ask('unknown')).rejects.toThrow(AuthenticationUnavailable);
      expect(server.requests).toBe(2);
      expect(await ask()).not.toBeNull();
      respondWith(jwksOf(key, other));
      later(5);
      expect(await ask('unknown')).not.toBeNull();
    });

    test('do not delay a token while the server does not respond at all', async () => {
      const { server, ask, later, respondWith } = await failAfterFetch();
      later(600);
      expect(await ask()).not.toBeNull();
      later(5);
      let respond = (_: unknown) => {};
      respondWith(
        new Promise((resolve) => {
          respond = resolve;
        }),
      );
      expect(await ask()).not.toBeNull();
      respond(jwksOf(key, other));
      expect(await ask('unknown')).not.toBeNull();
      expect(server.requests).toBe(3);
    });
  });

  test('that were never fetched are asked for once for all tokens of that moment, and not for each after it', async () => {
    const server = await serveJson(() => null);
    const authenticate = reader(server.url);
    const token = await sign(key);
    const ask = () => authenticate(token, {} as never);
    const answers = await Promise.allSettled(Array.from({ length: 20 }, ask));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['rejected']));
    await expect(ask()).rejects.toThrow(AuthenticationUnavailable);
    expect(server.requests).toBe(1);
  });

  test('are not the reason if `principalOf` throws: that is a 500', async () => {
    const failure = new Error('down');
    const { answer, causes } = await answerFor(await sign(key), {
      principalOf: () => {
        throw failure;
      },
    });
    expectError(answer, 500);
    expect(causes).toEqual([failure]);
  });
});

describe('the claims name the principal', () => {
  const principalOf = async (
    claims: Parameters<typeof claimsWith>[0],
    options: Partial<JwtOptions> = {},
  ): Promise<Principal | null> => {
    const authenticate = jwtAuthentication({ issuer, audience, jwks, ...options });
    return authenticate(await sign(key, claimsWith({ aud: audience, ...claims })), {} as never);
  };

  test('`fhirUser`, as a URL or a reference, is the subject, and `client_id` or `azp` the client', async () => {
    expect(await principalOf({})).toEqual({
      subject: 'Practitioner/ada',
      scopes: 'openid launch user/*.cruds',
      client: 'chart-app',
      expiresAt: expect.any(Number),
    });
    expect(await principalOf({ client_id: undefined, azp: 'kiosk' })).toMatchObject({ client: 'kiosk' });
    expect(await principalOf({ fhirUser: 'Patient/amy' })).toMatchObject({ subject: 'Patient/amy' });
  });

  describe('a `fhirUser` that is a URL is a person here', () => {
    const urls = {
      audience: 'clinical-records',
      baseUrl: ['https://clinic.example/fhir', 'https://old.example/'],
    };

    test.each([
      ['under the audience, if no URL is listed', 'https://clinic.example/fhir/Practitioner/12', {}],
      ['under the listed URL', 'https://clinic.example/fhir/Practitioner/12', urls],
      ['under another listed URL', 'https://old.example/Practitioner/12', urls],
      [
        'with another case of the host, and its port',
        'HTTPS://Clinic.example:443/fhir/Practitioner/12',
        urls,
      ],
    ])('%s', async (_, fhirUser, options) => {
      const principal = await principalOf({ fhirUser, aud: [audience, urls.audience] }, options);
      expect(principal).toMatchObject({ subject: 'Practitioner/12' });
    });

    test.each([
      ['of another server', 'https://other.example/Practitioner/12'],
      [
        'of another server that ends like this one',
        'https://other.example/clinic.example/fhir/Practitioner/12',
      ],
      [
        'of a server whose name begins like this one',
        'https://clinic.example.evil.example/fhir/Practitioner/12',
      ],
      ['of another path of this server', 'https://clinic.example/fhir-test/Practitioner/12'],
      ['of a path below the base', 'https://clinic.example/fhir/ward/Practitioner/12'],
      ['of a path that leads out of the base', 'https://clinic.example/fhir/../test/Practitioner/12'],
      ['with a query', 'https://clinic.example/fhir/Practitioner/12?x=/Practitioner/12'],
      ['without TLS', 'http://clinic.example/fhir/Practitioner/12'],
      [
        'of an audience that the listed URLs do not have',
        `${audience}/Practitioner/12`,
        'https://old.example',
      ],
    ])('and nobody here if it is one %s: the subject is the URL', async (_, fhirUser, baseUrl = audience) => {
      expect(await principalOf({ fhirUser }, { baseUrl })).toMatchObject({ subject: new URL(fhirUser).href });
    });

    test.each([
      'urn:uuid:7',
      'a/Practitioner/12',
      '/Practitioner/12',
      'Practitioner/12/_history/1',
      'Practitioner',
    ])('and nobody if it is %j', async (fhirUser) => {
      expect(await principalOf({ fhirUser })).toBeNull();
    });
  });

  test('a client that acts for itself is a device', async () => {
    const service = { fhirUser: undefined, sub: 'lab-loader', client_id: 'lab-loader' };
    expect(await principalOf(service)).toMatchObject({ subject: 'Device/lab-loader' });
    expect(await principalOf({ ...service, client_id: undefined, azp: 'lab-loader' })).toMatchObject({
      subject: 'Device/lab-loader',
    });
    expect(await principalOf({ ...service, client_id: 'another' })).toBeNull();
  });

  test('`patient` limits scopes of a patient to a chart', async () => {
    expect(await principalOf({ scope: 'patient/*.rs', patient: 'amy' })).toMatchObject({
      scopes: 'patient/*.rs',
      patient: 'amy',
    });
  });

  test('scopes may be in `scp`, as a list or a text', async () => {
    for (const scp of [['user/Goal.rs', 'openid'], 'user/Goal.rs openid']) {
      expect(await principalOf({ scope: undefined, scp })).toMatchObject({ scopes: 'user/Goal.rs openid' });
    }
    expect(await principalOf({ scope: undefined })).toMatchObject({ scopes: '' });
  });

  test('a host may name the principal in its own way', async () => {
    const authenticate = jwtAuthentication({
      ...{ issuer, audience, jwks },
      principalOf: ({ sub }) => ({ subject: `Person/${sub}`, scopes: [] }),
    });
    expect(await authenticate(await sign(key), {} as never)).toMatchObject({
      subject: 'Person/u-1',
      scopes: [],
    });
  });

  test('a host may change the principal that the claims name, with the same base URLs', async () => {
    const limited = await principalOf(
      {},
      {
        principalOf: (claims, baseUrls) => {
          const principal = principalOfClaims(claims, baseUrls);
          return principal && { ...principal, scopes: ['user/*.rs'] };
        },
      },
    );
    expect(limited).toMatchObject({ subject: 'Practitioner/ada', scopes: ['user/*.rs'] });
    expect(principalOfClaims(claimsWith())).toMatchObject({ subject: claimsWith().fhirUser });
  });
});

describe('options that would accept the wrong tokens are refused', () => {
  test.each<readonly [string, object]>([
    ['no issuer', { issuer: undefined }],
    ['an empty audience', { audience: '' }],
    ['no audience in the list', { audience: [] }],
    ['a secret key algorithm', { algorithms: ['HS256'] }],
    ['no algorithm', { algorithms: [] }],
    ['a tolerance of an hour', { clockTolerance: 3600 }],
    ['keys for ever', { keysMaxAge: Number.POSITIVE_INFINITY }],
    ['old keys for ever', { keysStaleIfError: Number.POSITIVE_INFINITY }],
    ['keys without https', { jwks: 'http://login.clinic.example/jwks' }],
    ['keys at a URL with a user', { jwks: 'https://me@login.clinic.example/jwks' }],
    ['no keys', { jwks: undefined }],
    ['an empty base URL', { baseUrl: '' }],
    ['another type than that of access tokens', { typ: 'jwt' }],
  ])('%s', (_, options) => {
    expect(() => jwtAuthentication({ issuer, audience, jwks, ...options } as JwtOptions)).toThrow();
  });
});
