import { ConnectionError, requestErrorOf } from './errors.ts';

/** The options of a client. */
export type ClientOptions = {
  /** The URL of the interface, such as `https://clinic.example/fhir`. In a page, it can be relative to the page. */
  readonly baseUrl: string;
  /**
   * Returns the access token of the next request; null without one, such as in a session of the browser. After a 401, it is asked
   * once more, with `isRefused`, for another one.
   */
  readonly getToken?: (asked: {
    /** Whether the server has refused the token of before. */
    readonly isRefused: boolean;
  }) => Promise<string | null> | string | null;
  /** Headers of each request, such as one that a proxy needs. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends a request. Default: the `fetch` of the platform. */
  readonly fetch?: typeof fetch;
  /** After so many milliseconds, a call with all of its attempts fails. Default: 30 seconds. */
  readonly deadline?: number;
  /** How often a request is sent at most. Default: until the deadline. */
  readonly maxAttempts?: number;
};

/** The options of a call. */
export type CallOptions = {
  /** Ends the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
};

export type ClientRequest = CallOptions & {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below the base URL. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  /** Whether it may write. */
  readonly isWrite: boolean;
  /** Whether it may be sent again after a lost response: it writes nothing, or a key or a version keeps it from being done twice. */
  readonly isRepeatable: boolean;
};

/** A request that writes nothing. */
export const readOnly = { isWrite: false, isRepeatable: true } as const;

/** A response that is not an error. */
type GoodResponse<Content> = {
  readonly headers: Headers;
  readonly content: Content;
  /** Whether there was an attempt before without a response, which may have been done. */
  readonly wasLost: boolean;
};

type ReadContent<Content> = (response: Response) => Promise<Content> | Content;

/**
 * Sends a request until there is a response that is not temporary, as far as it may be sent again, and reads
 * its content. Rejects with a `RequestError`, a `ConnectionError`, or the reason of the signal.
 */
export type Send = <Content>(
  request: ClientRequest,
  read: ReadContent<Content>,
) => Promise<GoodResponse<Content>>;

/** Reads what is at a path. */
export const readAt = async <Content>(
  send: Send,
  path: string,
  { signal }: CallOptions = {},
): Promise<Content> => {
  const request = { method: 'GET', path, ...readOnly, signal } as const;
  return (await send(request, (response) => response.json() as Promise<Content>)).content;
};

/** Whether the server cannot respond now. Except after a 429, it is not known whether it has done what it was asked for. */
const isTemporary = ({ status }: Response): boolean => [429, 502, 503, 504].includes(status);

const shortestPause = 200;
const longestPause = 5000;

/** How long to wait after an attempt, in milliseconds. */
const pauseAfter = (attempt: number, response: Response | null): number => {
  const asked = Number(response?.headers.get('retry-after') ?? 0) * 1000;
  const pause = Math.min(longestPause, shortestPause * 2 ** attempt) * (0.5 + Math.random() / 2);
  return Math.max(pause, Number.isNaN(asked) ? 0 : asked);
};

/** Waits so many milliseconds. Rejects with the reason of the signal. */
export const wait = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });

const contentOf = (body: unknown): { readonly body?: URLSearchParams | string; readonly type?: string } => {
  if (body === undefined) return {};
  return body instanceof URLSearchParams
    ? { body, type: 'application/x-www-form-urlencoded' }
    : { body: JSON.stringify(body), type: 'application/fhir+json' };
};

/** The result of an attempt: what was read, the response that is an error, or the reason why there is none. */
type Attempt<Content> =
  | { readonly sent: Omit<GoodResponse<Content>, 'wasLost'> }
  | { readonly refused: Response }
  | { readonly cause: unknown };

/**
 * The part of the time of a call after which an attempt without a response is given up. A response that has
 * begun to arrive may take all of it.
 */
const partOfAttempt = 1 / 3;

export const createSend = ({
  baseUrl,
  getToken = () => null,
  headers: ofAll = {},
  fetch: fetchNow = (...request) => fetch(...request),
  deadline = 30_000,
  maxAttempts = Number.POSITIVE_INFINITY,
}: ClientOptions): Send => {
  const attempt = async <Content>(
    { method, path, headers = {}, body, signal }: ClientRequest,
    token: string | null,
    { endsAt, read }: { readonly endsAt: number; readonly read: ReadContent<Content> },
  ): Promise<Attempt<Content>> => {
    const late = new AbortController();
    const abortIn = (milliseconds: number) =>
      setTimeout(() => late.abort(new Error('The server was too slow.')), milliseconds);
    let timer = abortIn(Math.min(endsAt - Date.now(), deadline * partOfAttempt));
    const { type, ...content } = contentOf(body);
    try {
      const response = await fetchNow(`${baseUrl}/${path}`, {
        ...content,
        method,
        signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
        headers: {
          accept: 'application/fhir+json',
          ...ofAll,
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(type !== undefined && { 'content-type': type }),
          ...headers,
        },
      });
      clearTimeout(timer);
      timer = abortIn(endsAt - Date.now());
      if (!response.ok) return { refused: response };
      return { sent: { headers: response.headers, content: await read(response) } };
    } catch (cause) {
      signal?.throwIfAborted();
      return { cause };
    } finally {
      clearTimeout(timer);
    }
  };

  return async (request, read) => {
    const { isWrite, isRepeatable, signal } = request;
    const endsAt = Date.now() + deadline;
    signal?.throwIfAborted();
    let token = await getToken({ isRefused: false });
    let [hasAnotherToken, wasLost] = [false, false];
    for (let count = 0; ; count += 1) {
      const result = await attempt(request, token, { endsAt, read });
      if ('sent' in result) return { ...result.sent, wasLost };
      const refused = 'refused' in result ? result.refused : null;
      if (refused?.status === 401 && !hasAnotherToken) {
        hasAnotherToken = true;
        const another = await getToken({ isRefused: true });
        if (another !== token) {
          token = another;
          continue;
        }
      }
      const isLost = refused === null || (isTemporary(refused) && refused.status !== 429);
      wasLost ||= isLost;
      const pause = pauseAfter(count, refused);
      const isLast = count + 1 >= maxAttempts || Date.now() + pause >= endsAt;
      const isOver = isLast || (isLost && !isRepeatable);
      if (refused !== null && (isOver || !isTemporary(refused)))
        throw await requestErrorOf(refused, { wasLost });
      if (isOver)
        throw new ConnectionError('cause' in result ? result.cause : null, { mayBeWritten: isWrite });
      refused?.body?.cancel().catch(() => {});
      await wait(pause, signal);
    }
  };
};
