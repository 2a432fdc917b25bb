import { type Authenticate, createAuthenticate, createGrant } from './tokens.ts';
import { readTokens } from './tokens-file.ts';

/** Who may come in; `printed` is the token that was made for it, where there is no file of tokens. */
export type ServerAccess = { readonly authenticate: Authenticate; readonly printedToken: string | null };

export const createServerAccess = (file: string | undefined): ServerAccess => {
  if (file !== undefined) return { authenticate: createAuthenticate(readTokens(file)), printedToken: null };
  const grant = createGrant();
  return { authenticate: createAuthenticate([grant]), printedToken: grant.token };
};
