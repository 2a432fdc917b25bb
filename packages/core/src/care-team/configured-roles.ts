import * as E from 'fp-ts/lib/Either.js';
import { z } from 'zod';
import type { Issue } from '../errors.ts';
import { code, text } from '../fhir/element.ts';
import { careTeamIssue } from './issues.ts';
import type { CareTeamRole } from './model.ts';
import type { SentParticipant } from './request-bodies.ts';

/** The coding of a role that a PUT accepts. A client can therefore send back a team that it has read. */
const rolesSchema = z.array(z.object({ system: text, code, display: text }));

/** A copy of the roles that a host configures. Throws a RangeError for an invalid role, and for one that occurs twice. */
export const parseRoles = (careTeamRoles: readonly CareTeamRole[]): readonly CareTeamRole[] => {
  const roles = rolesSchema.safeParse(careTeamRoles).data;
  if (roles === undefined) {
    throw new RangeError(
      'Each of the careTeamRoles must have a system, a code without spare spaces, and a display. None may be empty.',
    );
  }
  if (new Set(roles.map(({ system, code }) => JSON.stringify([system, code]))).size < roles.length) {
    throw new RangeError('Two of the careTeamRoles have the same system and code.');
  }
  return roles;
};

/** The configured role that a coding names: equal in system and code. */
export const findConfiguredRole = (
  roles: readonly CareTeamRole[],
  sent: { readonly system?: string | undefined; readonly code?: string | undefined },
): CareTeamRole | undefined => roles.find(({ system, code }) => sent.system === system && sent.code === code);

/** The configured role that a participant is sent with: null for an organization without one. */
export const requireConfiguredRole = (
  { codings }: SentParticipant,
  { roles, element }: { readonly roles: readonly CareTeamRole[]; readonly element: string },
): E.Either<Issue, CareTeamRole | null> => {
  const [sent] = codings;
  if (sent === undefined) return E.right(null);
  if (codings.length > 1) return E.left(careTeamIssue('one-role', element));
  return E.fromNullable(careTeamIssue('role-not-configured', element))(findConfiguredRole(roles, sent));
};
