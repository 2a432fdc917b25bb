import { type HttpRequest, headerOf } from './http.ts';
import { tokenOf } from './request-headers.ts';
import type { Principal } from './scopes.ts';

type Answer = Promise<Principal | null> | Principal | null;

/**
 * The authorization server, or another system by which requests are authenticated, cannot be asked. If `authenticate`
 * or `authenticateSession` throws it, the response is a 503 instead of a 500. `onError` receives it with its `cause`.
 */
export class AuthenticationUnavailable extends Error {
  /** Always `AuthenticationUnavailable`. */
  override readonly name = 'AuthenticationUnavailable';
}

/** How a host authenticates a request. */
export type Authentication = {
  /** Returns the principal of a bearer token, or null if the token is not valid. It is never called without a token. */
  readonly authenticate: (token: string, request: HttpRequest) => Answer;
  /**
   * Returns the principal of a request without an `Authorization` header, for example by a session cookie, or null.
   * Without this function, such a request is a 401. A write in a session must have a `Content-Type`, because a browser
   * does not let other sites send JSON unless your CORS headers allow it.
   */
  readonly authenticateSession?: (request: HttpRequest) => Answer;
};

/**
 * The principal of a request, and whether it was authenticated by a session. A browser adds a session cookie on its
 * own.
 */
export type Sender = { readonly principal: Principal; readonly hasSession: boolean };

/** Finds the sender of a request, or null. If the request has a token, only the token counts, and not a session. */
export const senderOf = async (
  request: HttpRequest,
  { authenticate, authenticateSession }: Authentication,
): Promise<Sender | null> => {
  const hasSession = headerOf(request, 'authorization') === undefined;
  const token = tokenOf(request);
  const principal = hasSession
    ? await authenticateSession?.(request)
    : token && (await authenticate(token, request));
  // A host in plain JavaScript may return undefined or false.
  return principal ? { principal, hasSession } : null;
};
