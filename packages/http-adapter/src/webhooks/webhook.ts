import type { ClinicalRecords, ResourceChange } from '@clinical-records/core';
import {
  checkOptionNames,
  longestTimer,
  type OptionNames,
  requireNumbers,
} from '@clinical-records/core/store';
import { requireSecureUrl, requireTexts } from '../option-values.ts';
import { type Attempt, createAddChanges, type Delivery, type DeliveryQueue } from './delivery-queue.ts';
import { type Backoff, createPost, createThrottle, delayAfter, isAccepted, parseSecret } from './post.ts';

/** An endpoint, and how changes are posted to it. Times are in milliseconds. */
export type WebhookOptions = {
  /** Has the feed that is posted. */
  readonly records: Pick<ClinicalRecords, 'changes'>;
  /** The queue of this endpoint. No other endpoint shares it. */
  readonly queue: DeliveryQueue;
  /** Where to post: https, or http on this machine. */
  readonly url: string | URL;
  /**
   * `whsec_` and 24 to 64 random bytes in base64, shared with this endpoint only. Several secrets make a signature each,
   * so that a new one can replace an old one.
   */
  readonly secret: string | readonly string[];
  /** Whether the resource is in the body, as it is at that version. Default: false. */
  readonly includeResource?: boolean;
  /** Which changes the endpoint gets. Default: all. */
  readonly filter?: (change: ResourceChange) => boolean;
  /** How many deliveries are sent at once, each of another record. Default: 8. */
  readonly concurrency?: number;
  /** How long an attempt may take. Default: 15 seconds. */
  readonly timeout?: number;
  /** The delays of failed deliveries. The default begins with one second, and ends with ten minutes. */
  readonly backoff?: Backoff;
  /** After how many attempts a delivery is a dead letter. Default: never. */
  readonly attemptLimit?: number;
  /** How long `run` waits for new changes. Default: one second. */
  readonly pollInterval?: number;
  /** Called after each attempt, for example to log it. */
  readonly onAttempt?: (attempt: Attempt) => void;
  /** Sends a request. Default: the global `fetch`. */
  readonly fetch?: (url: URL, init: RequestInit) => Promise<Response>;
  /** Default: the clock of this machine. */
  readonly clock?: () => Date;
  /** Waits so many milliseconds, or until the signal is aborted. Default: a timer. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** A number from 0 up to 1, for the jitter of the delays. Default: `Math.random`. */
  readonly random?: () => number;
};

const optionNames: OptionNames<WebhookOptions> = {
  records: true,
  queue: true,
  url: true,
  secret: true,
  includeResource: true,
  filter: true,
  concurrency: true,
  timeout: true,
  backoff: true,
  attemptLimit: true,
  pollInterval: true,
  onAttempt: true,
  fetch: true,
  clock: true,
  wait: true,
  random: true,
};

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

/** Waits so many milliseconds, or until the signal is aborted. */
const waitFor = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resume) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resume();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });

/**
 * Creates a webhook, which posts each change of the feed to an endpoint at least once, and the versions of each record in
 * their order. A delivery that fails is sent again, and only later versions of its record wait for it. Any status but a 2xx
 * is a failure; a redirect is not followed. A 410 ends the endpoint. Everything waits for the time of a `Retry-After`, and for a delay after
 * a 429, 502 or 504.
 *
 * Throws a TypeError for a missing secret and an unknown option. Throws a RangeError for a malformed one, for a URL without https or with a password,
 * and for a number below 1. Source: Standard Webhooks 1.0.0, and docs/webhooks.md.
 *
 * @example
 * const webhook = createWebhook({ records, queue, url: 'https://lab.example/webhooks', secret });
 * await webhook.run(stop.signal);
 */
export const createWebhook = (options: WebhookOptions): Webhook => {
  checkOptionNames('createWebhook', options, optionNames);
  const { queue, onAttempt = () => {} } = options;
  const { concurrency = 8, timeout = 15_000, attemptLimit = Number.POSITIVE_INFINITY } = options;
  const { backoff = { firstDelay: 1000, longestDelay: 600_000 }, pollInterval = 1000 } = options;
  const {
    fetch = globalThis.fetch,
    clock = () => new Date(),
    wait = waitFor,
    random = Math.random,
  } = options;
  const { firstDelay, longestDelay } = backoff;
  requireNumbers({ concurrency, attemptLimit }, 1);
  requireNumbers({ timeout, pollInterval }, 1, longestTimer);
  requireNumbers({ 'backoff.firstDelay': firstDelay, 'backoff.longestDelay': longestDelay }, 1);
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
