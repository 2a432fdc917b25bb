import type { Principal } from '../../src/index.ts';
import { principalOfClaims, type TokenClaims } from '../../src/jwt.ts';

// #region principal
export const principalOf = (claims: TokenClaims, baseUrls: readonly string[]): Principal | null => {
  const principal = principalOfClaims(claims, baseUrls);
  const { act } = claims as { readonly act?: { readonly sub: string } };
  if (principal === null || act === undefined) return principal;
  return { ...principal, agent: { reference: `Device/${act.sub}`, display: 'Scribe' } };
};
// #endregion
