import type { HttpRequest, Principal } from '@clinical-records/http-adapter';

/** Somebody who works here; `id` is who they are in the history of a chart. */
export type User = { readonly id: string; readonly role: 'doctor' | 'nurse' | 'desk' };

/** A host has these in its sessions; what is fixed here stands in their place. */
const sessions: ReadonlyMap<string, User> = new Map<string, User>([
  ['doctor-token', { id: 'Practitioner/12', role: 'doctor' }],
  ['nurse-token', { id: 'Practitioner/13', role: 'nurse' }],
  ['desk-token', { id: 'Person/14', role: 'desk' }],
]);

/** What each role of this host may do in charts, as SMART scopes. */
const scopes = { doctor: ['user/*.*'], nurse: ['user/*.read'], desk: [] } as const;

/** Who a header such as `Bearer nurse-token` stands for, for the host's own routes. */
export const userOf = (authorization = ''): User | null =>
  sessions.get(authorization.replace(/^Bearer /, '')) ?? null;

/** Who a token stands for, for the clinical interface. */
export const principalOf = (token: string): Principal | null => {
  const user = sessions.get(token);
  return user === undefined ? null : { subject: user.id, scopes: scopes[user.role] };
};

/**
 * Who the cookie of a session stands for, for the clinical interface. The host's login sets it, in Express by
 * `response.cookie('session', id, { httpOnly: true, secure: true, sameSite: 'lax' })`.
 */
export const principalInSession = ({ headers }: HttpRequest): Principal | null => {
  const [, id = ''] = /(?:^|; )session=([^;]+)/.exec(String(headers.cookie)) ?? [];
  return principalOf(id);
};
