import type { PractitionerReference } from '@clinical-records/core';
import type { Principal } from '@clinical-records/http-adapter';

/** A user belongs to one clinic. The same id may name another person in another clinic. */
type User = { readonly clinic: string; readonly id: PractitionerReference };

/** A host reads these from its sessions. Here they are fixed. */
const sessions: ReadonlyMap<string, User> = new Map<string, User>([
  ['north-token', { clinic: 'north', id: 'Practitioner/12' }],
  ['south-token', { clinic: 'south', id: 'Practitioner/12' }],
  ['east-token', { clinic: 'east', id: 'Practitioner/7' }],
]);

/** Creates the function that finds the principal of a token in one clinic. Users of other clinics are unknown there. */
export const principalsOf =
  (clinic: string) =>
  (token: string): Principal | null => {
    const user = sessions.get(token);
    return user?.clinic === clinic ? { subject: user.id, scopes: ['user/*.*'] } : null;
  };

/** Whether a header has the token of the person who adds clinics. */
export const isOperator = (authorization = ''): boolean => authorization === 'Bearer operator-token';
