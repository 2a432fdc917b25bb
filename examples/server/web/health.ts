import { setTimeout } from 'node:timers/promises';
import type { ClinicalStore, FeedEnd } from '@clinical-records/core/store';
import type { HttpHandler, HttpRequest, HttpResponse } from '@clinical-records/http-adapter';
import type { InstrumentOptions } from '@clinical-records/http-adapter/telemetry';

/** A store, whether its database can only be read, and the lengths of the queues in front of it. */
export type ServedStore = ClinicalStore & {
  readonly isReadOnly?: () => Promise<boolean>;
  readonly queues?: InstrumentOptions['queues'];
};

/** Why a server is not ready, and whether requests that only read still have answers. */
const reasons = {
  stopping: { reads: true },
  'store-unavailable': { reads: false },
  'read-only': { reads: true },
  behind: { reads: true },
} as const;

type Reason = keyof typeof reasons;

const respond = (status: 200 | 503, body: object): HttpResponse => ({
  status,
  headers: {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  },
  body: JSON.stringify(body),
});

const refuse = (reason: Reason): HttpResponse => respond(503, { status: reason, ...reasons[reason] });

/** Creates a check of the store: why it cannot be used, or null if it can. It remembers the end of the feed. */
const createCheck = (store: ServedStore): (() => Promise<Reason | null>) => {
  let seen: FeedEnd | null = null;
  const lacksSeen = async () => {
    if (seen === null) return false;
    const since = await store.changesSince({ ...seen, limit: 1 });
    return since._tag === 'Left' && since.left._tag === 'UnknownPosition';
  };
  return async () => {
    const isBehind = await lacksSeen();
    const end = await store.feedEnd();
    if (end._tag === 'Left') return 'store-unavailable';
    if (isBehind) return 'behind';
    seen = end.right;
    return (await store.isReadOnly?.()) === true ? 'read-only' : null;
  };
};

/** The result of work, or of work that failed or takes longer than so many milliseconds. */
const within = async <A>(milliseconds: number, work: Promise<A>, otherwise: A): Promise<A> => {
  const waiting = new AbortController();
  const late = setTimeout(milliseconds, otherwise, { signal: waiting.signal });
  try {
    return await Promise.race([work.catch(() => otherwise), late]);
  } finally {
    waiting.abort();
  }
};

/**
 * Adds `/health`, which answers as long as the process does, and `/ready`, which is a 503 once the server is to stop, and while the
 * store does not answer, cannot be written, or lacks a commit that this process has seen. They need no token, and show nothing of
 * the data.
 */
export const withHealth = (
  handler: HttpHandler,
  {
    store,
    stopping,
    answerTimeout = 2_000,
  }: {
    readonly store: ServedStore;
    readonly stopping: AbortSignal;
    /** The milliseconds after which a store that has not answered is not ready. */
    readonly answerTimeout?: number;
  },
): HttpHandler => {
  const check = createCheck(store);
  // Many requests at once are one check.
  let checking: Promise<Reason | null> | null = null;
  const findReason = async (): Promise<Reason | null> => {
    if (stopping.aborted) return 'stopping';
    checking ??= within<Reason | null>(answerTimeout, check(), 'store-unavailable').finally(() => {
      checking = null;
    });
    return checking;
  };
  const responses: Readonly<Record<string, () => Promise<HttpResponse>>> = {
    '/health': async () => respond(200, { status: 'live' }),
    '/ready': async () => {
      const reason = await findReason();
      return reason === null ? respond(200, { status: 'ready' }) : refuse(reason);
    },
  };
  const handle = async (request: HttpRequest): Promise<HttpResponse> => {
    const [path = ''] = request.url.split('?');
    const response = request.method === 'GET' || request.method === 'HEAD' ? responses[path] : undefined;
    return response === undefined ? handler(request) : { ...(await response()), route: path };
  };
  return Object.assign(handle, { bodyLimit: handler.bodyLimit });
};
