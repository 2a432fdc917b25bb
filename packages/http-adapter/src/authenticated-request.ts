import type { Either } from 'fp-ts/lib/Either.js';
import type { HttpRequest, HttpResponse } from './http.ts';
import type { HttpError } from './http-error.ts';
import type { MediaType } from './media-type.ts';
import type { RequestContext } from './request-context.ts';
import type { Principal } from './scopes.ts';

/** A request whose sender is known. */
export type AuthenticatedRequest = {
  readonly request: HttpRequest;
  readonly principal: Principal;
  /** The media type of the response; null if the client accepts none that is offered. */
  readonly mediaType: MediaType | null;
  readonly context: RequestContext;
  /** Reports the cause of an error that the client does not see. */
  readonly reportCause: (cause: unknown) => void;
  /** Ends the request. Only a response with a `stream` calls it, when the stream ends. */
  readonly onStreamEnd: () => void;
};

/** A response, or the error that it describes. */
export type ResponseResult = Either<HttpError, HttpResponse>;

/** Responds to the requests at certain paths. Returns null for any other path. */
export type Responder = (authenticated: AuthenticatedRequest) => Promise<ResponseResult> | null;
