import type { HttpHandlerOptions } from './handler-options.ts';
import type { HttpRequest } from './http.ts';
import { httpIssues } from './http-error.ts';
import type { RequestContext } from './request-context.ts';

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
  (onError: NonNullable<HttpHandlerOptions['onError']>): ReportError =>
  async (cause, request, { requestId, principal }) => {
    const error = cause instanceof Error ? cause : new Error(httpIssues['internal-error'], { cause });
    try {
      await onError(error, { request, requestId, principal });
    } catch {}
  };
