import type { DemoUser } from '../settings.ts';
import { request } from './request.ts';

/** How the user signed in: with a token of their own, or as somebody of the demo clinic. */
export type Session =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'demo'; readonly user: DemoUser };

/** The page of the docs keeps the token under the same name, so that one sign-in is enough for a tab. */
const key = 'clinical-records-token';

const demoPath = '/demo-session';

const readDemoUser = async (): Promise<DemoUser | null> => {
  const response = await request(demoPath);
  return response.ok ? ((await response.json()) as DemoUser | null) : null;
};

/** The session that this tab, or the demo's cookie, still has; null if the user has to sign in. */
export const findSession = async (demoUsers: readonly DemoUser[]): Promise<Session | null> => {
  const token = sessionStorage.getItem(key);
  if (token !== null) return { kind: 'token', token };
  const user = demoUsers.length === 0 ? null : await readDemoUser();
  return user && { kind: 'demo', user };
};

export const signInByToken = (token: string): Session => {
  sessionStorage.setItem(key, token);
  return { kind: 'token', token };
};

/** Asks the server for the cookie of a demo user. Scripts cannot read it. */
export const signInAs = async (user: DemoUser): Promise<Session> => {
  const response = await request(demoPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: user.id }),
  });
  if (!response.ok) throw new Error('The demo clinic is not open here.');
  return { kind: 'demo', user };
};

export const signOut = async (session: Session): Promise<void> => {
  sessionStorage.removeItem(key);
  if (session.kind === 'demo') await request(demoPath, { method: 'DELETE' });
};
