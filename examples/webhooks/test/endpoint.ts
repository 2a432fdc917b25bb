import type { WebhookOptions } from '@clinical-records/http-adapter/webhooks';
import { type Received, receive } from '../receiver.ts';

export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** One request that reached an endpoint. */
export type Request = { readonly webhookId: string; readonly record: string; readonly version: number };

/** An endpoint in this process, which receives what it is sent. */
export type Endpoint = {
  /** All requests that reached it, repeats too. */
  readonly requests: Request[];
  readonly received: Received;
  readonly post: (init: RequestInit, at: Date) => Response;
};

/** The request without its repeats, in the order of their first arrival. */
export const withoutRepeats = (requests: readonly Request[]): readonly Request[] => {
  const ids = new Set<string>();
  return requests.filter(({ webhookId }) => !ids.has(webhookId) && ids.add(webhookId));
};

/** The versions of each record, such as `{ 'CareTeam/7': [1, 2] }`. */
export const versionsByRecord = (versions: readonly Pick<Request, 'record' | 'version'>[]) =>
  Object.fromEntries(
    [...Map.groupBy(versions, ({ record }) => record)].map(([record, group]) => [
      record,
      group.map(({ version }) => version),
    ]),
  );

export const createEndpoint = (): Endpoint => {
  const requests: Request[] = [];
  const received: Received = { ids: new Set(), versions: new Map() };
  return {
    requests,
    received,
    post: ({ headers, body }, at) => {
      const request = { headers: new Headers(headers), body: String(body), at };
      const { data } = JSON.parse(request.body);
      requests.push({
        webhookId: `${request.headers.get('webhook-id')}`,
        record: `${data.resourceType}/${data.id}`,
        version: data.version,
      });
      return new Response(null, { status: receive(request, secret, received) });
    },
  };
};

/** The options of an endpoint that accepts all requests, at a time that a test sets. */
export const acceptAll = (
  endpoint: Endpoint,
  clock: () => Date,
): Pick<WebhookOptions, 'fetch' | 'clock' | 'url' | 'secret'> => ({
  url: 'https://endpoint.example/webhooks',
  secret,
  clock,
  fetch: async (_, init) => endpoint.post(init, clock()),
});
