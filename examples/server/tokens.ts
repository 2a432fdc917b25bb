import { createHash, randomBytes } from 'node:crypto';
import type { Principal } from '@clinical-records/http-adapter';

/** A bearer token, and whom it stands for. */
export type Grant = { readonly token: string; readonly principal: Principal };

/** Whom a token stands for; null for one that is not valid. */
export type Authenticate = (token: string) => Principal | null;

const digest = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Looks tokens up by their hash, so that how long it takes says nothing of a token that is near. */
export const createAuthenticate = (grants: readonly Grant[]): Authenticate => {
  const principals = new Map(grants.map(({ token, principal }) => [digest(token), principal]));
  return (token) => principals.get(digest(token)) ?? null;
};

/** A token that nobody had before, for everything. */
export const createGrant = (): Grant => ({
  token: randomBytes(24).toString('base64url'),
  principal: { subject: 'demo-user', scopes: ['user/*.*'] },
});
