import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DemoUser } from '@clinical-records/example-chart';
import type { HttpRequest, HttpResponse, Principal } from '@clinical-records/http-adapter';

/** The path at which a visitor of the demo clinic signs in and out. */
export const demoSessionPath = '/demo-session';

const cookieName = 'clinical-records-demo';

/** How long a session lasts, in milliseconds. */
const lifetime = 12 * 60 * 60 * 1000;

/** Scripts cannot read the cookie, and other sites cannot use it. */
const attributes = 'Path=/; HttpOnly; SameSite=Strict';

const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

const empty = (status: number, more: Readonly<Record<string, string>> = {}): HttpResponse => ({
  ...{ status, headers: { ...headers, ...more }, body: '' },
});

/**
 * Whether the browser knows the server as this machine, without a proxy. A name of another site could have been pointed here.
 */
const isLocal = ({ headers }: HttpRequest): boolean =>
  /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(String(headers.host)) &&
  ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'via'].every((name) => headers[name] === undefined);

const hasJsonBody = (request: HttpRequest): boolean =>
  /^application\/json(;|$)/.test(String(request.headers['content-type']));

const readText = async ({ body }: HttpRequest): Promise<string> => {
  const read = typeof body === 'function' ? await body() : body;
  if (read === undefined || read instanceof Error) return '';
  return typeof read === 'string' ? read : new TextDecoder().decode(read);
};

/** The id in the JSON of a sign-in; null if it is something else. */
const userIn = (text: string): unknown => {
  try {
    return (JSON.parse(text) as { readonly id?: unknown } | null)?.id ?? null;
  } catch {
    return null;
  }
};

export type DemoSessions = {
  /** The principal of a request with the cookie of a session, or null. */
  readonly authenticate: (request: HttpRequest) => Principal | null;
  /** The response to a request to `demoSessionPath`: who is signed in, a sign-in, or a sign-out. */
  readonly respond: (request: HttpRequest) => Promise<HttpResponse>;
};

/** The user who is signed in, and the end of the session in milliseconds since 1970. */
type Session = { readonly user: DemoUser; readonly expiresAt: number };

/**
 * Lets a visitor of the demo clinic sign in as one of its users for twelve hours, without a token. The cookie is derived from the secret
 * of this start, so that each process of the server knows it, and none after the next start.
 */
export const createDemoSessions = (users: readonly DemoUser[], secret: string): DemoSessions => {
  const signatureOf = (id: string, expiresAt: number) =>
    createHmac('sha256', secret).update(`demo-session ${id} ${expiresAt}`).digest('base64url');

  const sessionOf = ({ headers: { cookie } }: HttpRequest): Session | null => {
    const [, id = '', time = '', signature = ''] =
      new RegExp(`(?:^|; )${cookieName}=([\\w-]+)\\.(\\d+)\\.([\\w-]+)`).exec(String(cookie)) ?? [];
    const expiresAt = Number(time);
    const expected = Buffer.from(signatureOf(id, expiresAt));
    const sent = Buffer.from(signature);
    const isSigned = expected.length === sent.length && timingSafeEqual(expected, sent);
    const user = isSigned && Date.now() < expiresAt ? users.find((one) => one.id === id) : undefined;
    return user === undefined ? null : { user, expiresAt };
  };

  return {
    authenticate: (request) => {
      const session = isLocal(request) ? sessionOf(request) : null;
      // The cookie is of the whole browser: somebody else may have signed in in another tab.
      const { 'demo-user': shownUser = session?.user.id } = request.headers;
      if (session === null || session.user.id !== shownUser) return null;
      return {
        subject: `Practitioner/${session.user.id}`,
        expiresAt: session.expiresAt,
        scopes: 'user/*.rs user/CareTeam.u user/Command.cud user/Immunization.cu user/Correction.cr',
      };
    },
    respond: async (request) => {
      if (users.length === 0 || !isLocal(request)) return empty(404);
      switch (request.method) {
        case 'GET':
        case 'HEAD': {
          const body = JSON.stringify(sessionOf(request)?.user ?? null);
          return { status: 200, headers: { ...headers, 'content-type': 'application/json' }, body };
        }
        case 'POST': {
          // A page of another site cannot send JSON without permission, which nobody gives it.
          if (!hasJsonBody(request)) return empty(415);
          const id = userIn(await readText(request));
          const user = users.find((one) => one.id === id);
          if (user === undefined) return empty(403);
          const expiresAt = Date.now() + lifetime;
          const value = `${user.id}.${expiresAt}.${signatureOf(user.id, expiresAt)}`;
          return empty(204, { 'set-cookie': `${cookieName}=${value}; ${attributes}` });
        }
        case 'DELETE':
          return empty(204, { 'set-cookie': `${cookieName}=; Max-Age=0; ${attributes}` });
        default:
          return empty(405, { allow: 'GET, HEAD, POST, DELETE' });
      }
    },
  };
};
