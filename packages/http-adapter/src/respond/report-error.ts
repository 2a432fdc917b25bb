import type { Principal } from '../access/scopes.ts';
import { httpIssues } from '../errors.ts';
import type { HttpRequest } from '../http.ts';
import type { RequestContext } from '../request/request.ts';

/** The second argument of `onError`: the request that failed, and its sender. */
export type ErrorContext = {
  readonly request: HttpRequest;
  /** The id of the request, which the response has as `X-Request-Id`. */
  readonly requestId: string;
  /** The sender; null if the sender is not known. */
  readonly principal: Principal | null;
};

/** Reports the cause of an error of the server to the host. */
export type ReportError = (
  cause: unknown,
  request: HttpRequest,
  context: Pick<RequestContext, 'requestId' | 'principal'>,
) => Promise<void>;

/**
 * The host's log gets an Error with a message, whatever was thrown. A failing `onError` does not change the response.
 */
export const createReportError =
  (onError: (cause: Error, context: ErrorContext) => void): ReportError =>
  async (cause, request, { requestId, principal }) => {
    const error = cause instanceof Error ? cause : new Error(httpIssues['internal-error'], { cause });
    try {
      await onError(error, { request, requestId, principal });
    } catch {}
  };
