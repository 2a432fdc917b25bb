import type { AuthorReference } from '@clinical-records/core';
import { isId, parseReference } from '@clinical-records/core/adapter';
import type { OptionNames } from '@clinical-records/core/store';
import type { Principal } from '../access/scopes.ts';

/** The claims of an access token. Source: RFC 7519, 4; RFC 9068, 2.2. */
export type TokenClaims = Readonly<Record<string, unknown>>;

/** The options for access tokens, whether they are JWTs or introspected. */
export type AccessTokenOptions = {
  /** The authorization server, as the tokens name it in `iss`: one, or several. */
  readonly issuer: string | readonly string[];
  /** This server, as the tokens name it in `aud`: one name, or several. */
  readonly audience: string | readonly string[];
  /**
   * The URL of this interface, or several. A `fhirUser` under one of them is a person of the directory here. One under any other
   * URL is a person of another server. Default: the `audience`.
   */
  readonly baseUrl?: string | readonly string[];
  /**
   * Returns the principal of valid claims, or null for none. It also receives the `baseUrl`, as a list. Default:
   * `principalOfClaims`.
   */
  readonly principalOf?: (claims: TokenClaims, baseUrls: readonly string[]) => Principal | null;
  /** Is called with the reason for which a token is refused, for a log. It contains nothing of the token. */
  readonly onRefusal?: (reason: string) => void;
};

export const accessTokenOptionNames: OptionNames<AccessTokenOptions> = {
  issuer: true,
  audience: true,
  baseUrl: true,
  principalOf: true,
  onRefusal: true,
};

const textClaim = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The part of a URL after a base URL; undefined if it is not under that. */
const pathUnder = (url: URL, baseUrl: string): string | undefined => {
  const base = URL.parse(baseUrl.replace(/\/?$/, '/'))?.href;
  return base !== undefined && url.href.startsWith(base) ? url.href.slice(base.length) : undefined;
};

/** The user: a reference for a person here, and a URL for a person of another server. */
const userOf = ({ fhirUser }: TokenClaims, baseUrls: readonly string[]): string | undefined => {
  const user = textClaim(fhirUser);
  if (parseReference(user) !== null) return user;
  const url = URL.parse(user);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const paths = baseUrls.map((baseUrl) => pathUnder(url, baseUrl));
  return paths.find((path) => path !== undefined && parseReference(path) !== null) ?? url.href;
};

const clientOf = ({ client_id, azp }: TokenClaims): string => textClaim(client_id) || textClaim(azp);

/** A client that acts for itself, which `sub` names. Source: RFC 9068, 2.2. */
const deviceOf = (claims: TokenClaims): string | undefined => {
  const client = clientOf(claims);
  return client === claims.sub && isId(client) ? `Device/${client}` : undefined;
};

/**
 * The principal that the claims of an access token name; null if they name none. The subject is `fhirUser`, or
 * `Device/<client>` for a client that acts for itself. A `fhirUser` that is a URL is a reference such as `Practitioner/12` only under one of
 * the base URLs. Otherwise the URL is the subject, which is nobody in the directory. The scopes are those of `scope` or `scp`, and the
 * patient is that of the launch, `patient`. The client is `client_id` or `azp`. Source: SMART App Launch 2.2, "Scopes for requesting
 * identity data" and "Backend Services".
 */
export const principalOfClaims = (
  claims: TokenClaims,
  baseUrls: readonly string[] = [],
): Principal | null => {
  const subject = userOf(claims, baseUrls) ?? deviceOf(claims);
  if (subject === undefined) return null;
  const { scope, scp = [], patient } = claims;
  const client = clientOf(claims);
  return {
    subject: subject as AuthorReference,
    scopes: textClaim(scope) || [scp].flat().map(textClaim).join(' '),
    ...(typeof patient === 'string' && { patient }),
    ...(client !== '' && { client }),
  };
};

/**
 * The principal of valid claims, which expires with the token unless it says when itself. A token is accepted for some seconds more, as
 * the clocks of the servers may differ.
 */
export const expiringPrincipalOf = (
  principal: Principal | null,
  { exp }: TokenClaims,
  clockTolerance = 0,
): Principal | null =>
  principal !== null && typeof exp === 'number'
    ? { expiresAt: 1000 * (exp + clockTolerance), ...principal }
    : principal;

/** The types in the header of an access token, if it has one. Source: RFC 9068, 2.1; RFC 7519, 5.1. */
const accessTokenTypes: readonly unknown[] = ['at+jwt', 'jwt'];

/** The kinds of other tokens, as Keycloak names them in the claim `typ`. Its access tokens are of `Bearer`. */
const otherKinds: readonly unknown[] = ['ID', 'Refresh', 'Offline', 'Logout'];

/** A media type as a header may write it: in any case, and without `application/`. Source: RFC 7515, 4.1.9. */
const normalizedType = (typ: unknown): unknown =>
  typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ;

/** Why a header is not that of an access token; null if it is. With `required`, it must have that type. Source: RFC 8725, 3.11. */
export const refusalOfType = (typ: unknown, required: 'at+jwt' | undefined): string | null => {
  const type = normalizedType(typ);
  if (required !== undefined) {
    return type === required ? null : `The token does not have the type ${required}.`;
  }
  return type === undefined || accessTokenTypes.includes(type)
    ? null
    : 'The type of the token is not that of an access token.';
};

/** Why claims are not those of an access token; null if they are. Only a security event has `events`. Source: RFC 8417, 2.2. */
export const refusalOfKind = ({ typ, events }: TokenClaims): string | null =>
  otherKinds.includes(typ) || events !== undefined ? 'The token is not an access token.' : null;
