import { createGrant, type Grant } from './tokens.ts';
import { readTokens } from './tokens-file.ts';

/** The tokens of the server; `printedToken` was created because there is no token file. */
export type ServerAccess = { readonly grants: readonly Grant[]; readonly printedToken: string | null };

export const createServerAccess = (file: string | undefined): ServerAccess => {
  if (file !== undefined) return { grants: readTokens(file), printedToken: null };
  const grant = createGrant();
  return { grants: [grant], printedToken: grant.token };
};
