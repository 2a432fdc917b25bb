/**
 * Access tokens of an authorization server, for `authenticate` of `createHttpHandler`.
 * You need it if users come with such tokens.
 *
 * @module @clinical-records/http-adapter/jwt
 */

export {
  type IntrospectionOptions,
  introspectionAuthentication,
} from './jwt/introspection-authentication.ts';
export {
  type JsonWebKeySet,
  type JwtAlgorithm,
  type JwtOptions,
  jwtAuthentication,
} from './jwt/jwt-authentication.ts';
export { type AccessTokenOptions, principalOfClaims, type TokenClaims } from './jwt/principal-of-claims.ts';
