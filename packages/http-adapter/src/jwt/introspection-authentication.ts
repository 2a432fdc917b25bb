import { checkOptionNames, type OptionNames } from '@clinical-records/core/store';
import { type Authentication, AuthenticationUnavailable } from '../access/authorize.ts';
import type { Principal } from '../access/scopes.ts';
import { requireSeconds, requireSecureUrl, requireTexts } from '../option-values.ts';
import {
  type AccessTokenOptions,
  accessTokenOptionNames,
  expiringPrincipalOf,
  principalOfClaims,
  refusalOfKind,
  type TokenClaims,
} from './principal-of-claims.ts';

/** The authorization server that knows the tokens, and the principal that they name. */
export type IntrospectionOptions = AccessTokenOptions & {
  /** The URL that says whether a token is active (`introspection_endpoint`). */
  readonly endpoint: string | URL;
  /** The id of this server at the authorization server. */
  readonly clientId: string;
  /** The secret of this server there. */
  readonly clientSecret: string;
  /** For how many seconds an active token is not asked about again: from 0 to 300. Default: 30. */
  readonly maxAge?: number;
};

const optionNames: OptionNames<IntrospectionOptions> = {
  ...accessTokenOptionNames,
  endpoint: true,
  clientId: true,
  clientSecret: true,
  maxAge: true,
};

/** An active token, and until when it is not asked about again, in milliseconds since 1970. */
type ActiveToken = { readonly principal: Principal; readonly until: number };

/** The most active tokens that are remembered. */
const maxTokens = 10_000;

/** The time in milliseconds after which a response is not waited for any more. */
const timeout = 5000;

const hasOneOf = (value: unknown, allowed: readonly string[]): boolean =>
  [value].flat().some((text) => allowed.includes(text as string));

const isClaims = (value: unknown): value is TokenClaims =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The credentials of a client. Source: RFC 6749, 2.3.1. */
const basicAuthorization = (id: string, secret: string): string =>
  `Basic ${btoa([id, secret].map((text) => new URLSearchParams([['', text]]).toString().slice(1)).join(':'))}`;

/** Creates the function that asks for the claims of a token. */
const createIntrospect = (endpoint: URL, authorization: string) => {
  const ask = async (token: string): Promise<TokenClaims> => {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { accept: 'application/json', authorization },
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    });
    if (!response.ok) throw new Error(`The introspection of a token was answered with ${response.status}.`);
    const claims: unknown = await response.json();
    if (!isClaims(claims))
      throw new Error('The introspection of a token was not answered with a JSON object.');
    return claims;
  };

  return async (token: string): Promise<TokenClaims> => {
    try {
      return await ask(token);
    } catch (cause) {
      throw new AuthenticationUnavailable('The authorization server cannot be asked about a token.', {
        cause,
      });
    }
  };
};

/** Why an introspected token is refused; null if it is valid. */
const refusalOf = (
  claims: TokenClaims,
  { issuers, audiences }: { readonly issuers: readonly string[]; readonly audiences: readonly string[] },
  now: number,
): string | null => {
  const { active, iss, aud, exp, nbf } = claims;
  if (active !== true) return 'The token is not active.';
  // RFC 7662 leaves these out of some responses. Then the server itself has checked them.
  if (iss !== undefined && !hasOneOf(iss, issuers)) return 'The token is of another issuer.';
  if (aud !== undefined && !hasOneOf(aud, audiences)) return 'The token is for another audience.';
  if (typeof exp === 'number' && exp * 1000 <= now) return 'The token has expired.';
  if (typeof nbf === 'number' && nbf * 1000 > now) return 'The token is not valid yet.';
  return refusalOfKind(claims);
};

/** Finds an active token once for all who ask at a time, and remembers it until it is to be asked about again. */
const rememberActive = (
  find: (token: string) => Promise<ActiveToken | null>,
): ((token: string) => Promise<Principal | null>) => {
  const active = new Map<string, ActiveToken>();
  /** The tokens about which the server is being asked. */
  const lookups = new Map<string, Promise<Principal | null>>();

  const lookUp = async (token: string): Promise<Principal | null> => {
    const found = await find(token);
    if (found === null) return null;
    if (active.size >= maxTokens) active.clear();
    active.set(token, found);
    return found.principal;
  };

  return async (token) => {
    const activeToken = active.get(token);
    if (activeToken !== undefined && activeToken.until > Date.now()) return activeToken.principal;
    active.delete(token);
    const inFlight = lookups.get(token);
    if (inFlight !== undefined) return inFlight;
    const lookup = lookUp(token).finally(() => lookups.delete(token));
    lookups.set(token, lookup);
    return lookup;
  };
};

/**
 * Creates an `authenticate` that asks the authorization server about each token, once for all requests of that moment. A token
 * that is not active, or was issued by or for somebody else, is a 401. If the server does not answer, the request is a 503.
 * A token that is revoked is valid until `maxAge` is over. Source: RFC 7662.
 *
 * Throws a TypeError for a missing or unknown option, and a RangeError for `maxAge` out of its range and a URL without https
 * or with a password.
 *
 * @example
 * const authenticate = introspectionAuthentication({
 *   issuer: 'https://login.clinic.example',
 *   audience: 'https://clinic.example/fhir',
 *   endpoint: 'https://login.clinic.example/introspect',
 *   clientId: 'clinical-records',
 *   clientSecret,
 * });
 */
export const introspectionAuthentication = (
  options: IntrospectionOptions,
): Authentication['authenticate'] => {
  checkOptionNames('introspectionAuthentication', options, optionNames);
  const { principalOf = principalOfClaims, onRefusal = () => {}, baseUrl = options.audience } = options;
  const issuers = requireTexts('issuer', options.issuer);
  const audiences = requireTexts('audience', options.audience);
  const baseUrls = requireTexts('baseUrl', baseUrl);
  const endpoint = requireSecureUrl('endpoint', options.endpoint);
  const [clientId = ''] = requireTexts('clientId', options.clientId);
  const [clientSecret = ''] = requireTexts('clientSecret', options.clientSecret);
  const maxAge = 1000 * requireSeconds('maxAge', options.maxAge ?? 30, 300);
  const introspect = createIntrospect(endpoint, basicAuthorization(clientId, clientSecret));

  return rememberActive(async (token) => {
    const claims = await introspect(token);
    const now = Date.now();
    const refusal = refusalOf(claims, { issuers, audiences }, now);
    const principal = refusal === null ? expiringPrincipalOf(principalOf(claims, baseUrls), claims) : null;
    if (principal === null) {
      onRefusal(refusal ?? 'The response names no principal.');
      return null;
    }
    const { exp } = claims;
    const expires = typeof exp === 'number' ? exp * 1000 : Number.POSITIVE_INFINITY;
    return { principal, until: Math.min(now + maxAge, expires) };
  });
};
