import { createHmac } from 'node:crypto';
import { parseHttpDate } from '../http-date.ts';
import type { Attempt, Delivery } from './delivery-queue.ts';
import type { WebhookOptions } from './webhook.ts';

const prefix = 'whsec_';

/** The key of a secret. Throws a RangeError. Source: Standard Webhooks 1.0.0, "Signature scheme". */
export const parseSecret = (secret: string): Uint8Array => {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const isSecret = `${prefix}${key.toString('base64')}` === secret && key.length >= 24 && key.length <= 64;
  if (!isSecret) throw new RangeError('secret must be whsec_ and 24 to 64 random bytes in base64.');
  return key;
};

/** The headers that identify and sign a body. Source: Standard Webhooks 1.0.0, "Webhook headers". */
export const signedHeaders = (
  keys: readonly Uint8Array[],
  { webhookId, body, at }: { readonly webhookId: string; readonly body: string; readonly at: number },
) => {
  const seconds = Math.floor(at / 1000);
  const signatures = keys.map((key) =>
    createHmac('sha256', key).update(`${webhookId}.${seconds}.${body}`).digest('base64'),
  );
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': `${seconds}`,
    'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' '),
  };
};

/** How long failed deliveries wait, in milliseconds. */
export type Backoff = {
  /** After the first failure. It doubles with each further one. */
  readonly firstDelay: number;
  /** No delay is longer. */
  readonly longestDelay: number;
};

/**
 * The delay after the given number of failed attempts, in whole milliseconds: twice as long after each, up to the longest.
 * Of that, a random part of at most a half is left out, so that deliveries that failed together are not sent again together.
 */
export const delayAfter = (
  attempts: number,
  { firstDelay, longestDelay }: Backoff,
  random: number,
): number => {
  const delay = Math.min(longestDelay, firstDelay * 2 ** (attempts - 1));
  return Math.ceil(delay * (1 - random / 2));
};

export type PostResponse = Pick<Attempt, 'status' | 'error'> & {
  /** When the endpoint wants to be asked again, in milliseconds since 1970; null if it does not say so. */
  readonly retryAt: number | null;
};

/** The longest time in milliseconds for which an endpoint can put its deliveries off: a day. */
const longestRetryAfter = 86_400_000;

/** Source: RFC 9110, 10.2.3. */
const retryAtOf = (retryAfter: string, at: Date): number | null => {
  const now = at.getTime();
  const retryAt = /^\d+$/.test(retryAfter) ? now + 1000 * Number(retryAfter) : parseHttpDate(retryAfter, at);
  return retryAt === undefined ? null : Math.min(retryAt, now + longestRetryAfter);
};

/** Creates a function that posts a delivery, signed with each of the keys. */
export const createPost =
  (
    url: URL,
    keys: readonly Uint8Array[],
    { fetch, timeout, clock }: Required<Pick<WebhookOptions, 'fetch' | 'timeout' | 'clock'>>,
  ) =>
  async ({ webhookId, body }: Delivery): Promise<PostResponse> => {
    const at = clock().getTime();
    const headers = { 'content-type': 'application/json', ...signedHeaders(keys, { webhookId, body, at }) };
    const signal = AbortSignal.timeout(timeout);
    try {
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      await response.body?.cancel();
      return {
        status: response.status,
        retryAt: retryAtOf(response.headers.get('retry-after') ?? '', clock()),
      };
    } catch (error) {
      return { status: null, error, retryAt: null };
    }
  };

/** How many deliveries an endpoint gets at once. Times are in milliseconds since 1970. */
export type Throttle = {
  /** How many may be in flight at a time. */
  readonly places: (at: number) => number;
  /** Until when none is sent; in the past if some are. */
  readonly until: () => number;
  readonly observe: (response: PostResponse) => void;
};

export const isAccepted = (status: number | null): boolean =>
  status !== null && status >= 200 && status < 300;

/** The responses of an endpoint that has too much to do. Source: Standard Webhooks 1.0.0, "Delivery success and failure". */
const isOverloaded = ({ status, retryAt }: PostResponse): boolean =>
  retryAt !== null || [429, 502, 504].includes(status ?? 0);

/**
 * Creates the throttle of an endpoint. If the endpoint has too much to do, nothing is sent until it wants to be asked again, and at
 * least for a delay that doubles each time. After that, one delivery at once is sent until it accepts one.
 */
export const createThrottle = (
  { concurrency, backoff, random }: { concurrency: number; backoff: Backoff; random: () => number },
  now: () => number,
): Throttle => {
  let overloads = 0;
  let until = Number.NEGATIVE_INFINITY;
  return {
    places: (at) => {
      if (at < until) return 0;
      return overloads > 0 ? 1 : concurrency;
    },
    until: () => until,
    observe: (response) => {
      if (isAccepted(response.status)) {
        overloads = 0;
      } else if (isOverloaded(response)) {
        // Those that were in flight together are one overload.
        if (now() >= until) overloads += 1;
        const delayed = now() + delayAfter(Math.max(overloads, 1), backoff, random());
        until = Math.max(until, delayed, response.retryAt ?? delayed);
      }
    },
  };
};
