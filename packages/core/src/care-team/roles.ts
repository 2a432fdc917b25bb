import { z } from 'zod';
import { code, text } from '../fhir/element.ts';
import type { CareTeamRole } from './model.ts';

/** What a PUT takes as the coding of a role: so a team that was read can be put back. */
const configuration = z.array(z.object({ system: text, code, display: text }));

/** The roles that a host configures, as they are when it does. Throws a RangeError for what cannot be one, or is one twice. */
export const rolesFrom = (given: readonly CareTeamRole[]): readonly CareTeamRole[] => {
  const roles = configuration.safeParse(given).data;
  if (roles === undefined) {
    throw new RangeError(
      'Each of the careTeamRoles has a system, a code and a display: texts that are not empty, the code without spare white space.',
    );
  }
  if (new Set(roles.map(({ system, code }) => JSON.stringify([system, code]))).size < roles.length) {
    throw new RangeError('No two of the careTeamRoles have the same system and code.');
  }
  return roles;
};
