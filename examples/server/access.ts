import { type Authenticate, authenticateBy, newGrant } from './tokens.ts';
import { readTokens } from './tokens-file.ts';

/** Who may come in; `printed` is the token that was made for it, where there is no file of tokens. */
export type Access = { readonly authenticate: Authenticate; readonly printed: string | null };

export const accessBy = (file: string | undefined): Access => {
  if (file !== undefined) return { authenticate: authenticateBy(readTokens(file)), printed: null };
  const grant = newGrant();
  return { authenticate: authenticateBy([grant]), printed: grant.token };
};
