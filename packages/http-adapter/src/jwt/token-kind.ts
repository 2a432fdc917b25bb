import type { TokenClaims } from './principal-of-claims.ts';

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
