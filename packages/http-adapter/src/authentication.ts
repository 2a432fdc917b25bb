import { type HttpRequest, headerOf } from './http.ts';
import { tokenOf } from './request-headers.ts';
import type { Principal } from './scopes.ts';

type Answer = Promise<Principal | null> | Principal | null;

/** How a host says who a request is from. */
export type Authentication = {
  /** The principal that a bearer token stands for; null for a token that is not valid. Never called without a token. */
  readonly authenticate: (token: string, request: HttpRequest) => Answer;
  /**
   * The principal of a request without an `Authorization` header, such as by the cookie of a session; null for nobody. Without
   * this function, such a request is a 401. A write in a session must name its `Content-Type`: a browser lets no page of another
   * site send JSON, unless your CORS headers allow that.
   */
  readonly authenticateSession?: (request: HttpRequest) => Answer;
};

/** The principal of a request, and whether a session says so. A browser sends the cookie of a session on its own. */
export type Sender = { readonly principal: Principal; readonly hasSession: boolean };

/** Finds the sender; null where there is none. A request with a token is judged by the token, not by a session beside it. */
export const senderOf = async (
  request: HttpRequest,
  { authenticate, authenticateSession }: Authentication,
): Promise<Sender | null> => {
  const hasSession = headerOf(request, 'authorization') === undefined;
  const token = tokenOf(request);
  const principal = hasSession
    ? await authenticateSession?.(request)
    : token && (await authenticate(token, request));
  // A host without types may answer undefined, or false.
  return principal ? { principal, hasSession } : null;
};
