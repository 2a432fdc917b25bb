import { requireNumbers, requireSecureUrl, requireTexts } from '../options.ts';
import { type Attempt, createAddChanges, type Delivery } from './delivery-queue.ts';
import {
  createPost,
  createThrottle,
  delayAfter,
  isAccepted,
  parseSecret,
  type WebhookOptions,
} from './post.ts';
import { wait as waitFor } from './wait.ts';

export type { WebhookOptions } from './post.ts';

/** Posts the feed to one endpoint. */
export type Webhook = {
  /**
   * Adds the changes that are new to the queue, and sends the deliveries that are due until none is. Returns when the next one is due,
   * in milliseconds since 1970; null if none is outstanding, or the endpoint has ended. A call during another one has the
   * same result. Rejects if the feed or the queue fails.
   */
  readonly deliver: () => Promise<number | null>;
  /**
   * Delivers until the signal is aborted or the endpoint has ended, and the attempts of that moment have ended. Rejects as `deliver`
   * does.
   */
  readonly run: (signal: AbortSignal) => Promise<void>;
};

/**
 * Creates a webhook, which posts each change of the feed to an endpoint at least once, and the versions of each record in
 * their order. A delivery that fails is sent again, and only later versions of its record wait for it. Any status but a 2xx
 * is a failure; a redirect is not followed. A 410 ends the endpoint. Everything waits for the time of a `Retry-After`, and for a delay after
 * a 429, 502 or 504.
 *
 * Throws a TypeError for a missing secret. Throws a RangeError for a malformed one, for a URL without https or with a password,
 * and for a number below 1. Source: Standard Webhooks 1.0.0, and docs/webhooks.md.
 *
 * @example
 * const webhook = createWebhook({ records, queue, url: 'https://lab.example/webhooks', secret });
 * await webhook.run(stop.signal);
 */
export const createWebhook = (options: WebhookOptions): Webhook => {
  const { queue, onAttempt = () => {} } = options;
  const { concurrency = 8, timeout = 15_000, attemptLimit = Number.POSITIVE_INFINITY } = options;
  const { backoff = { firstDelay: 1000, longestDelay: 600_000 }, pollInterval = 1000 } = options;
  const {
    fetch = globalThis.fetch,
    clock = () => new Date(),
    wait = waitFor,
    random = Math.random,
  } = options;
  requireNumbers({ concurrency, timeout, attemptLimit, pollInterval }, 1);
  const url = requireSecureUrl('url', options.url);
  const keys = requireTexts('secret', options.secret).map(parseSecret);
  const now = () => clock().getTime();
  const post = createPost(url, keys, { fetch, timeout, clock });
  const throttle = createThrottle({ concurrency, backoff, random }, now);
  const addChanges = createAddChanges(options, now);
  let isGone = false;

  const attempt = async (delivery: Delivery): Promise<Attempt> => {
    const { retryAt, ...response } = await post(delivery);
    throttle.observe({ retryAt, ...response });
    const sent = { delivery, ...response };
    const attempts = delivery.attempts + 1;
    if (isAccepted(sent.status)) return { ...sent, kind: 'delivered' };
    if (sent.status === 410) return { ...sent, kind: 'gone' };
    if (attempts >= attemptLimit) return { ...sent, kind: 'dead' };
    const dueAt = now() + delayAfter(attempts, backoff, random());
    return { ...sent, kind: 'failed', dueAt: Math.max(dueAt, retryAt ?? dueAt) };
  };

  const send = async (delivery: Delivery): Promise<void> => {
    const attempted = await attempt(delivery);
    if (attempted.kind === 'gone') isGone = true;
    else await queue.save(attempted, now());
    onAttempt(attempted);
  };

  /** The first time after `at` when something may be sent; null if nothing is outstanding. */
  const nextDueAt = async (at: number): Promise<number | null> =>
    throttle.places(at) === 0 ? throttle.until() : queue.nextDueAt(at);

  /** Adds and sends until the signal is aborted. Without a signal, until nothing is due; returns when something is. */
  const work = async (signal?: AbortSignal): Promise<number | null> => {
    const sending = new Map<string, Promise<void>>();
    const failures: unknown[] = [];
    let wake = () => {};

    const begin = (delivery: Delivery): void => {
      const sent = send(delivery)
        .catch((cause: unknown) => {
          failures.push(cause);
        })
        .then(() => {
          sending.delete(delivery.record);
          wake();
        });
      sending.set(delivery.record, sent);
    };

    /**
     * Begins deliveries that are due, in the places that are free. Those in flight are due, too, even if they end while the queue is
     * read.
     */
    const fill = async (at: number): Promise<void> => {
      const places = throttle.places(at);
      if (sending.size >= places) return;
      const inFlight = new Set(sending.keys());
      const due = await queue.due(at, places);
      const waiting = due.filter(({ record }) => !inFlight.has(record));
      waiting.slice(0, places - sending.size).forEach(begin);
    };

    const loop = async (): Promise<number | null> => {
      let hasMore = true;
      let pollAt = now();
      while (!isGone && !signal?.aborted && failures.length === 0) {
        // An attempt that ends from now on ends the wait below.
        const pause = new AbortController();
        wake = () => pause.abort();
        if (now() >= pollAt) hasMore = await addChanges();
        const at = now();
        await fill(at);
        if (hasMore) continue;
        if (at >= pollAt) pollAt = at + pollInterval;
        const dueAt = await nextDueAt(at);
        if (signal === undefined && sending.size === 0) return dueAt;
        const delay = Math.min(pollAt, dueAt ?? pollAt) - now();
        if (delay > 0 && !pause.signal.aborted) await wait(delay, pause.signal);
      }
      return null;
    };

    const stop = () => wake();
    signal?.addEventListener('abort', stop);
    const dueAt = await loop().catch((cause: unknown) => {
      failures.push(cause);
      return null;
    });
    signal?.removeEventListener('abort', stop);
    await Promise.all(sending.values());
    if (failures.length > 0) throw failures[0];
    return dueAt;
  };

  let delivering: Promise<number | null> | null = null;
  return {
    deliver: () => {
      delivering ??= work().finally(() => {
        delivering = null;
      });
      return delivering;
    },
    run: async (signal) => {
      await work(signal);
    },
  };
};
