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

/** Whether a request is authenticated by a session. A browser adds a session cookie on its own. */
export const hasSession = (request: HttpRequest): boolean => headerOf(request, 'authorization') === undefined;

/**
 * Finds the principal of a request. If the request has a token, only the token counts, and not a session. A host in plain
 * JavaScript may return undefined or false for none.
 */
export const authenticateRequest = (
  request: HttpRequest,
  { authenticate, authenticateSession }: Authentication,
): Answer => {
  if (hasSession(request)) return authenticateSession?.(request) ?? null;
  const token = tokenOf(request);
  return token === null ? null : authenticate(token, request);
};
