import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DemoUser } from '@clinical-records/example-chart';
import type { HttpRequest, HttpResponse, Principal } from '@clinical-records/http-adapter';

/** The path at which a visitor of the demo clinic signs in and out. */
export const demoSessionPath = '/demo-session';

const cookieName = 'clinical-records-demo';

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

const isJson = (request: HttpRequest): boolean =>
  /^application\/json(;|$)/.test(String(request.headers['content-type']));

const textOf = async ({ body }: HttpRequest): Promise<string> => {
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

/**
 * Lets a visitor of the demo clinic sign in as one of its users, without a token. The cookie is derived from the secret of this
 * start, so that each process of the server knows it, and none after the next start.
 */
export const createDemoSessions = (users: readonly DemoUser[], secret: string): DemoSessions => {
  const signatureOf = (id: string) =>
    createHmac('sha256', secret).update(`demo-session ${id}`).digest('base64url');

  const signedIn = ({ headers: { cookie } }: HttpRequest): DemoUser | null => {
    const [, id = '', signature = ''] =
      new RegExp(`(?:^|; )${cookieName}=([\\w-]+)\\.([\\w-]+)`).exec(String(cookie)) ?? [];
    const expected = Buffer.from(signatureOf(id));
    const sent = Buffer.from(signature);
    const isSigned = expected.length === sent.length && timingSafeEqual(expected, sent);
    return (isSigned && users.find((user) => user.id === id)) || null;
  };

  return {
    authenticate: (request) => {
      const user = isLocal(request) ? signedIn(request) : null;
      // The cookie is of the whole browser: somebody else may have signed in in another tab.
      const { 'demo-user': shownUser = user?.id } = request.headers;
      if (user === null || user.id !== shownUser) return null;
      return {
        subject: `Practitioner/${user.id}`,
        scopes: ['user/*.rs', 'user/CareTeam.u', 'user/Command.cud', 'user/Immunization.cu'],
      };
    },
    respond: async (request) => {
      if (users.length === 0 || !isLocal(request)) return empty(404);
      switch (request.method) {
        case 'GET':
        case 'HEAD': {
          const body = JSON.stringify(signedIn(request));
          return { status: 200, headers: { ...headers, 'content-type': 'application/json' }, body };
        }
        case 'POST': {
          // A page of another site cannot send JSON without permission, which nobody gives it.
          if (!isJson(request)) return empty(415);
          const id = userIn(await textOf(request));
          const user = users.find((one) => one.id === id);
          if (user === undefined) return empty(403);
          const value = `${user.id}.${signatureOf(user.id)}`;
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
