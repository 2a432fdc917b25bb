import type { Returned } from '@clinical-records/core';
import type { HttpRequest, HttpResponse } from './http.ts';
import type { HttpError } from './http-error.ts';
import { type MediaType, mediaTypes } from './media-type.ts';
import type { RequestTarget } from './request-target.ts';
import type { Principal } from './scopes.ts';

/** The state of a request that is being handled. */
export type RequestContext = {
  /** The id of the request, which the response has as `X-Request-Id`. */
  readonly requestId: string;
  readonly target: RequestTarget;
  /** The network address of the client; null if it is not known, or if nobody asks for it. */
  readonly address: string | null;
  /** The sender; null as long as the sender is not known. */
  principal: Principal | null;
  /** The search parameters in the body; empty if there are none. */
  form: string;
  /** The media type of an OperationOutcome. */
  errorMediaType: MediaType;
  /** The error that the response describes; null if it describes none. */
  error: HttpError | null;
  /** Whether the response is a document for everybody, without data of a chart. */
  isPublic: boolean;
  /** The content of the response; null if nobody asks for it. */
  readonly returned: Returned[] | null;
};

/** The address of the client of `node:http`; null for other servers. */
const addressOf = ({ source }: HttpRequest): string | null => {
  const { socket } = (source ?? {}) as { readonly socket?: { readonly remoteAddress?: unknown } };
  return typeof socket?.remoteAddress === 'string' ? socket.remoteAddress : null;
};

export const createRequestContext = (
  request: HttpRequest,
  {
    requestId,
    target,
    isReported,
  }: Pick<RequestContext, 'requestId' | 'target'> & { readonly isReported: boolean },
): RequestContext => ({
  requestId,
  target,
  // A connection that is closed has no address any more.
  address: isReported ? addressOf(request) : null,
  principal: null,
  form: '',
  errorMediaType: mediaTypes[0],
  error: null,
  isPublic: false,
  returned: isReported ? [] : null,
});

/** Handles a request, and writes into its context what it finds out. */
export type HandleInContext = (request: HttpRequest, context: RequestContext) => Promise<HttpResponse>;
