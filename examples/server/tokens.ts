import { createHash, randomBytes } from 'node:crypto';
import type { Principal } from '@clinical-records/http-adapter';

/** A bearer token and its principal. */
export type Grant = { readonly token: string; readonly principal: Principal };

/** Returns the principal of a token, or null if the token is not valid. */
export type Authenticate = (token: string) => Principal | null;

const digest = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Looks tokens up by their hash, so that the time does not show how similar a wrong token is. */
export const createAuthenticate = (grants: readonly Grant[]): Authenticate => {
  const principals = new Map(grants.map(({ token, principal }) => [digest(token), principal]));
  return (token) => principals.get(digest(token)) ?? null;
};

/** A new token with all permissions. */
export const createGrant = (): Grant => ({
  token: randomBytes(24).toString('base64url'),
  principal: { subject: 'Person/demo-user', scopes: ['user/*.*'] },
});
