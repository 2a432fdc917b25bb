import type { PractitionerReference } from '@clinical-records/core';
import type { HttpRequest, Principal } from '@clinical-records/http-adapter';

/** A user of the host. The `id` is the reference that names the user in the history of a chart. */
export type User =
  | { readonly id: PractitionerReference; readonly role: 'doctor' | 'nurse' }
  | { readonly id: `Person/${string}`; readonly role: 'desk' };

/** A host reads these from its sessions. Here they are fixed. */
const sessions: ReadonlyMap<string, User> = new Map<string, User>([
  ['doctor-token', { id: 'Practitioner/12', role: 'doctor' }],
  ['nurse-token', { id: 'Practitioner/13', role: 'nurse' }],
  ['desk-token', { id: 'Person/14', role: 'desk' }],
]);

// #region principal
/** The permissions of each role of this host in charts, as SMART scopes. */
const scopes = { doctor: ['user/*.*'], nurse: ['user/*.read'], desk: [] } as const;

/** The principal of a token, for the clinical interface. */
export const principalOf = (token: string): Principal | null => {
  const user = sessions.get(token);
  return user === undefined ? null : { subject: user.id, scopes: scopes[user.role] };
};
// #endregion

/** The user of a header such as `Bearer nurse-token`, for the host's own routes. */
export const userOf = (authorization = ''): User | null =>
  sessions.get(authorization.replace(/^Bearer /, '')) ?? null;

/**
 * The principal of a session cookie, for the clinical interface. The host's login sets the cookie, in Express with
 * `response.cookie('session', id, { httpOnly: true, secure: true, sameSite: 'lax' })`.
 */
export const principalInSession = ({ headers }: HttpRequest): Principal | null => {
  const [, id = ''] = /(?:^|; )session=([^;]+)/.exec(String(headers.cookie)) ?? [];
  return principalOf(id);
};
