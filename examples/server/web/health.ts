import { setTimeout } from 'node:timers/promises';
import type { ClinicalStore } from '@clinical-records/core';
import type { HttpHandler, HttpRequest, HttpResponse } from '@clinical-records/http-adapter';

const respond = (status: 200 | 503, body: string): HttpResponse => ({
  status,
  headers: {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  },
  body: JSON.stringify({ status: body }),
});

const answers = async (store: ClinicalStore, patience: number): Promise<boolean> => {
  const waiting = new AbortController();
  const read = store.read({ type: 'Patient', id: 'none' });
  const isRead = await Promise.race([
    read.then(({ _tag }) => _tag === 'Right'),
    setTimeout(patience, false, { signal: waiting.signal }),
  ]);
  waiting.abort();
  return isRead;
};

/**
 * Adds `/health`, which answers as long as the process does, and `/ready`, which is a 503 while the store does not
 * answer and once the server is to stop. They need no token, and show nothing of the data.
 */
export const withHealth = (
  handler: HttpHandler,
  {
    store,
    stopping,
    patience = 2_000,
  }: {
    readonly store: ClinicalStore;
    readonly stopping: AbortSignal;
    /** The milliseconds after which a store that has not answered is not ready. */
    readonly patience?: number;
  },
): HttpHandler => {
  // Many requests at once are one read.
  let reading: Promise<boolean> | null = null;
  const isAnswering = async () => {
    reading ??= answers(store, patience).finally(() => {
      reading = null;
    });
    return reading;
  };
  const responses: Readonly<Record<string, () => Promise<HttpResponse>>> = {
    '/health': async () => respond(200, 'live'),
    '/ready': async () => {
      if (stopping.aborted) return respond(503, 'stopping');
      return (await isAnswering()) ? respond(200, 'ready') : respond(503, 'store-unavailable');
    },
  };
  const handle = async (request: HttpRequest): Promise<HttpResponse> => {
    const [path = ''] = request.url.split('?');
    const response = request.method === 'GET' || request.method === 'HEAD' ? responses[path] : undefined;
    return response === undefined ? handler(request) : { ...(await response()), route: path };
  };
  return Object.assign(handle, { bodyLimit: handler.bodyLimit });
};
