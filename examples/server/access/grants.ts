import { createHash, randomBytes } from 'node:crypto';
import type { Principal } from '@clinical-records/http-adapter';

/** A bearer token and its principal. */
export type Grant = {
  readonly token: string;
  readonly principal: Principal;
};

/** Returns the principal of a token, or null if there is none. The interface refuses one that has expired. */
export type FindPrincipal = (token: string) => Principal | null;

const digest = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Looks tokens up by their hash, so that the time does not show how similar a wrong token is. */
export const createFindPrincipal = (grants: readonly Grant[]): FindPrincipal => {
  const byDigest = new Map(grants.map(({ token, principal }) => [digest(token), principal]));
  return (token) => byDigest.get(digest(token)) ?? null;
};

/** A new token for everything that the docs of the server show. */
export const createGrant = (subject: Principal['subject']): Grant => ({
  token: randomBytes(24).toString('base64url'),
  principal: {
    subject,
    scopes:
      'user/*.rs user/CareTeam.u user/Command.cud user/Immunization.cu user/AllergyIntolerance.cu user/Correction.cr',
  },
});
