import { type Authenticate, createAuthenticate, createGrant } from './tokens.ts';
import { readTokens } from './tokens-file.ts';

/** The authentication of the server; `printed` is the token that was created because there is no token file. */
export type ServerAccess = { readonly authenticate: Authenticate; readonly printedToken: string | null };

export const createServerAccess = (file: string | undefined): ServerAccess => {
  if (file !== undefined) return { authenticate: createAuthenticate(readTokens(file)), printedToken: null };
  const grant = createGrant();
  return { authenticate: createAuthenticate([grant]), printedToken: grant.token };
};
