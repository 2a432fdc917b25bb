import { checkOptionNames, type OptionNames } from '@clinical-records/core/store';
import * as E from 'fp-ts/lib/Either.js';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { type Authentication, AuthenticationUnavailable } from '../access/authorize.ts';
import { requireSeconds, requireSecureUrl, requireTexts } from '../option-values.ts';
import {
  type AccessTokenOptions,
  accessTokenOptionNames,
  expiringPrincipalOf,
  principalOfClaims,
  refusalOfKind,
  refusalOfType,
  type TokenClaims,
} from './principal-of-claims.ts';

/** An algorithm of a signature with a public key. */
export type JwtAlgorithm = `${'RS' | 'PS' | 'ES'}${'256' | '384' | '512'}` | 'Ed25519' | 'EdDSA';

/** The public keys of an authorization server. Source: RFC 7517, 5. */
export type JsonWebKeySet = { readonly keys: readonly object[] };

/** Which tokens are valid, and the principal that they name. */
export type JwtOptions = AccessTokenOptions & {
  /**
   * The URL of the authorization server's keys (`jwks_uri`), or the keys. The keys of a URL are fetched when they are
   * first needed, and again when they are older than `keysMaxAge`. A token of a key that is not among them fetches them,
   * too, but at most every 30 seconds.
   */
  readonly jwks: string | URL | JsonWebKeySet;
  /** The accepted algorithms. Default: all those that are signed with a private key. */
  readonly algorithms?: readonly JwtAlgorithm[];
  /** The type that the header of each token must have. Default: `at+jwt`, `JWT` or none. Source: RFC 9068, 4. */
  readonly typ?: 'at+jwt';
  /** By how many seconds the clocks of the servers may differ: from 0 to 300. Default: 30. */
  readonly clockTolerance?: number;
  /** After how many seconds the keys of a URL are fetched again: from 0 to 86,400. Default: 600. */
  readonly keysMaxAge?: number;
  /**
   * For how many seconds more the last keys are used if they cannot be fetched: from 0 to 86,400. Default: 3,600. Source: RFC
   * 5861, 4.
   */
  readonly keysStaleIfError?: number;
};

/** For how many milliseconds after a fetch the token of an unknown key does not cause another. */
const unknownKeyCooldown = 30_000;

/** For how many milliseconds after a failure keys are not fetched again. */
const failureCooldown = 5000;

/**
 * Finds the keys of a URL. They are fetched when they are first needed, and when they are older than `maxAge`: once for all tokens
 * of that moment. If that fails, those of the last fetch are used for the time of `staleIfError`. As long as it
 * fails, a token of an unknown key rejects with the cause, because its key may be new. Times are in milliseconds.
 */
const createRemoteKeys = (
  url: URL,
  { maxAge, staleIfError }: { readonly maxAge: number; readonly staleIfError: number },
): JWTVerifyGetKey => {
  // When to fetch is decided here.
  const keys = createRemoteJWKSet(url, {
    cacheMaxAge: Number.POSITIVE_INFINITY,
    cooldownDuration: Number.POSITIVE_INFINITY,
  });
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let failure: { readonly cause: unknown; readonly at: number } | null = null;

  /** Fetches the keys, unless that has just failed. */
  const fetchKeys = async (): Promise<void> => {
    if (failure !== null && Date.now() - failure.at < failureCooldown) throw failure.cause;
    try {
      await keys.reload();
      [fetchedAt, failure] = [Date.now(), null];
    } catch (cause) {
      failure = { cause, at: Date.now() };
      throw cause;
    }
  };

  const renew = async (age: number): Promise<void> => {
    const areUsable = age < maxAge + staleIfError;
    const wasFailing = failure !== null;
    const fetching = fetchKeys().catch((cause: unknown) => {
      if (!areUsable) throw cause;
    });
    // A server that hangs would otherwise delay every request.
    if (!(areUsable && wasFailing)) await fetching;
  };

  return async (header, token) => {
    const age = Date.now() - fetchedAt;
    if (age >= maxAge) await renew(age);
    try {
      return await keys(header, token);
    } catch (cause) {
      if (!(cause instanceof errors.JWKSNoMatchingKey)) throw cause;
      if (failure === null && Date.now() - fetchedAt < unknownKeyCooldown) throw cause;
      await fetchKeys();
      return keys(header, token);
    }
  };
};

/** The algorithms of signatures with a public key. Source: RFC 7518, 3.1; RFC 8037; RFC 9864. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'Ed25519',
  'EdDSA',
] as const;

/** The errors that are the token's fault. Others are those of this server, or of the authorization server. */
const refusals: ReadonlySet<string> = new Set(
  [
    errors.JOSEAlgNotAllowed,
    errors.JOSENotSupported,
    errors.JWKSMultipleMatchingKeys,
    errors.JWKSNoMatchingKey,
    errors.JWSInvalid,
    errors.JWSSignatureVerificationFailed,
    errors.JWTClaimValidationFailed,
    errors.JWTExpired,
    errors.JWTInvalid,
  ].map(({ code }) => code),
);

/** The reason for a refusal. Of these errors, only that of an unknown extension quotes the token: the name of the extension. */
const refusalReasonOf = (refusal: Error): string =>
  refusal instanceof errors.JOSENotSupported
    ? 'The token needs an extension or an algorithm that is not supported.'
    : refusal.message;

const requireAlgorithms = (accepted: readonly JwtAlgorithm[]): readonly JwtAlgorithm[] => {
  if (accepted.length > 0 && accepted.every((algorithm) => algorithms.includes(algorithm))) return accepted;
  throw new RangeError(`algorithms must be some of ${algorithms.join(', ')}.`);
};

const optionNames: OptionNames<JwtOptions> = {
  ...accessTokenOptionNames,
  jwks: true,
  algorithms: true,
  typ: true,
  clockTolerance: true,
  keysMaxAge: true,
  keysStaleIfError: true,
};

/**
 * Creates an `authenticate` that verifies the JSON Web Tokens of an authorization server: the signature by its keys, and
 * `iss`, `aud`, `exp` and `nbf`. A token that is not valid, or not an access token, is a 401. If there are no
 * keys that are recent enough, the request is a 503. Source: RFC 7519; RFC 9068, 4; RFC 8725, 3.
 *
 * Throws a TypeError for a missing `issuer` or `audience` and an unknown option, and an Error for keys that are not a JSON Web Key Set. Throws a
 * RangeError for an algorithm without a private key, another `typ`, a time out of its range, and a URL without https or with a
 * password.
 *
 * @example
 * const authenticate = jwtAuthentication({
 *   issuer: 'https://login.clinic.example',
 *   audience: 'https://clinic.example/fhir',
 *   jwks: 'https://login.clinic.example/jwks',
 * });
 */
export const jwtAuthentication = (options: JwtOptions): Authentication['authenticate'] => {
  checkOptionNames('jwtAuthentication', options, optionNames);
  const { principalOf = principalOfClaims, onRefusal = () => {}, jwks, typ } = options;
  const { baseUrl = options.audience } = options;
  const checks = {
    issuer: requireTexts('issuer', options.issuer),
    audience: requireTexts('audience', options.audience),
    algorithms: [...requireAlgorithms(options.algorithms ?? algorithms)],
    clockTolerance: requireSeconds('clockTolerance', options.clockTolerance ?? 30, 300),
    requiredClaims: ['exp'],
  };
  const baseUrls = requireTexts('baseUrl', baseUrl);
  if (typ !== undefined && typ !== 'at+jwt') throw new RangeError('typ must be at+jwt.');
  const { keysMaxAge = 600, keysStaleIfError = 3600 } = options;
  const ages = {
    maxAge: 1000 * requireSeconds('keysMaxAge', keysMaxAge, 86_400),
    staleIfError: 1000 * requireSeconds('keysStaleIfError', keysStaleIfError, 86_400),
  };
  const findKey =
    typeof jwks === 'string' || jwks instanceof URL
      ? createRemoteKeys(requireSecureUrl('jwks', jwks), ages)
      : createLocalJWKSet(jwks as JSONWebKeySet);

  const verify = async (token: string): Promise<E.Either<string, TokenClaims>> => {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, findKey, checks);
      const refusal = refusalOfType(protectedHeader.typ, typ) ?? refusalOfKind(payload);
      return refusal === null ? E.right(payload) : E.left(refusal);
    } catch (cause) {
      if (cause instanceof errors.JOSEError && refusals.has(cause.code))
        return E.left(refusalReasonOf(cause));
      throw new AuthenticationUnavailable('The keys of the authorization server cannot be used.', { cause });
    }
  };

  return async (token) => {
    const claims = await verify(token);
    const principal = E.isLeft(claims)
      ? null
      : expiringPrincipalOf(principalOf(claims.right, baseUrls), claims.right, checks.clockTolerance);
    if (principal === null) {
      onRefusal(E.isLeft(claims) ? claims.left : 'The claims of the token name no principal.');
    }
    return principal;
  };
};
