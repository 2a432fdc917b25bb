import { readJson } from '@clinical-records/core/adapter';
import * as E from 'fp-ts/lib/Either.js';
import {
  bodyTooLarge,
  type HttpError,
  invalidBody,
  invalidJson,
  tooManyParameters,
  unsupportedMediaType,
} from '../errors.ts';
import { firstHeaderOf, type HttpRequest, hasTooManyParameters, headerOf, isSupportedBody } from '../http.ts';

/** Collects the bytes of a body while they arrive. */
export type BodyBuffer = {
  /** Adds a piece. Returns whether the body now exceeds the limit. */
  readonly add: (piece: Uint8Array) => boolean;
  /** The bytes so far, at most one more than the limit, which shows that a body exceeds it. */
  readonly bytes: () => Uint8Array;
};

const noBytes = new Uint8Array(0);

/**
 * Creates a buffer that grows with the body. It does not reserve the limit in advance, nor an object for each short
 * piece. A body that arrives in one piece, as most do, is not copied.
 */
export const createBodyBuffer = (limit: number): BodyBuffer => {
  let body: Uint8Array = noBytes;
  let length = 0;
  return {
    add: (piece) => {
      const room = limit + 1 - length;
      const fitting = piece.length > room ? piece.subarray(0, room) : piece;
      if (length === 0) body = fitting;
      else {
        if (length + fitting.length > body.length) {
          const larger = new Uint8Array(2 * (length + fitting.length));
          larger.set(body);
          body = larger;
        }
        body.set(fitting, length);
      }
      length += fitting.length;
      return length > limit;
    },
    bytes: () => (length === body.length ? body : body.subarray(0, length)),
  };
};

/**
 * Makes a function that reads a body only once, however often it is called. If something else has already read from the
 * body, it returns an error, because the rest of the body would look like the whole.
 */
export const createReadOnce = (
  isRead: () => boolean,
  read: () => Promise<Uint8Array>,
): (() => Promise<Uint8Array | Error>) => {
  let result: Promise<Uint8Array | Error> | undefined;
  const begin = async () =>
    isRead()
      ? new Error('The body was read before the interface could: mount it in front of what parses bodies.')
      : read();
  return () => {
    result ??= begin();
    return result;
  };
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A parsed body: JSON, or the parameters of a form. */
export type RequestBody = { readonly json: unknown; readonly form: string };

/** The body of a request that has none. */
export const noBody: E.Either<HttpError, RequestBody> = E.right({ json: undefined, form: '' });

/** The error of a body that broke off while it was read. */
export class RequestAborted extends Error {}

const throwAborted = (cause: unknown): never => {
  throw new RequestAborted('The body broke off.', { cause });
};

const readRawBody = async ({ body = '' }: HttpRequest): Promise<Uint8Array | string> => {
  const sent = typeof body === 'function' ? await body().catch(throwAborted) : body;
  if (sent instanceof Error) throw sent;
  return sent;
};

/** FHIR has some hundred names, and nests some ten levels. A body beyond these limits would keep other requests waiting. */
const bodyLimits = { maxNames: 1_000, maxDepth: 500 } as const;

/** Reads and parses the body that a route expects. Throws if the host cannot provide it. */
export const parseBody = async (
  request: HttpRequest,
  {
    type,
    bodyFormat,
    isBodyOptional = false,
  }: {
    readonly type: string;
    readonly bodyFormat: 'json' | 'form';
    readonly isBodyOptional?: boolean | undefined;
  },
  limit: number,
): Promise<E.Either<HttpError, RequestBody>> => {
  const body = await readRawBody(request);
  const { byteLength } = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  if (byteLength > limit) return E.left(bodyTooLarge);
  if (
    !isSupportedBody(
      bodyFormat,
      firstHeaderOf(request, 'content-type'),
      headerOf(request, 'content-encoding'),
    )
  )
    return E.left(unsupportedMediaType);
  if (isBodyOptional && byteLength === 0) return noBody;
  try {
    const text = typeof body === 'string' ? body : utf8.decode(body);
    if (bodyFormat === 'form')
      return hasTooManyParameters(text)
        ? E.left(tooManyParameters)
        : E.right({ json: undefined, form: text });
    const { value, issues } = readJson(text, { resourceType: type, ...bodyLimits });
    return issues.length === 0 ? E.right({ json: value, form: '' }) : E.left(invalidBody(issues));
  } catch {
    return E.left(invalidJson);
  }
};
