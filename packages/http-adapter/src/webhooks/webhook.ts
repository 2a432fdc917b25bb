import type { FeedPosition, ResourceChange } from '@clinical-records/core';
import {
  checkOptionNames,
  longestTimer,
  type OptionNames,
  requireNumbers,
} from '@clinical-records/core/store';
import { requireSecureUrl, requireTexts } from '../option-values.ts';
import { type Attempt, createAddChanges, type Delivery, type DeliveryQueue } from './delivery-queue.ts';
import {
  type Backoff,
  createPost,
  createThrottle,
  delayAfter,
  isAccepted,
  type PostResponse,
  parseSecret,
  type Throttle,
} from './post.ts';
import { createWork } from './work.ts';

/** A change of a resource of any type, the library's own or one of the host. */
export type AnyChange = ResourceChange<Readonly<Record<string, object>>>;

/** An endpoint, and how changes are posted to it. Times are in milliseconds. */
export type WebhookOptions<Change = ResourceChange> = {
  /** Has the feed that is posted. */
  readonly records: {
    /** The feed, such as `records.changes`. */
    readonly changes: (options?: {
      /** The position after which it begins. */
      readonly since?: FeedPosition | undefined;
    }) => AsyncGenerator<Change, void>;
  };
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
  readonly filter?: (change: Change) => boolean;
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

/** The options with their defaults. Throws if one is not valid. */
const parseOptions = (options: Omit<WebhookOptions, 'records' | 'filter'>) => {
  checkOptionNames<object>('createWebhook', options, optionNames);
  const { concurrency = 8, timeout = 15_000, attemptLimit = Number.POSITIVE_INFINITY } = options;
  const { backoff = { firstDelay: 1000, longestDelay: 600_000 }, pollInterval = 1000 } = options;
  const {
    fetch = globalThis.fetch,
    clock = () => new Date(),
    wait = waitFor,
    random = Math.random,
    onAttempt = () => {},
  } = options;
  const { firstDelay, longestDelay } = backoff;
  requireNumbers({ concurrency, attemptLimit }, 1);
  requireNumbers({ timeout, pollInterval }, 1, longestTimer);
  requireNumbers({ 'backoff.firstDelay': firstDelay, 'backoff.longestDelay': longestDelay }, 1);
  const url = requireSecureUrl('url', options.url);
  const keys = requireTexts('secret', options.secret).map(parseSecret);
  const times = { timeout, backoff, pollInterval };
  const { queue } = options;
  return { queue, url, keys, concurrency, attemptLimit, ...times, fetch, clock, wait, random, onAttempt };
};

/** Creates the function that sends a delivery once, and decides what becomes of it. */
const createAttempt =
  (
    { attemptLimit, backoff, random }: Required<Pick<WebhookOptions, 'attemptLimit' | 'backoff' | 'random'>>,
    post: (delivery: Delivery) => Promise<PostResponse>,
    throttle: Throttle,
    now: () => number,
  ) =>
  async (delivery: Delivery): Promise<Attempt> => {
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
export const createWebhook = <Change extends AnyChange = ResourceChange>(
  options: WebhookOptions<Change>,
): Webhook => {
  const parsed = parseOptions(options);
  const { queue, url, keys, clock, onAttempt } = parsed;
  const now = () => clock().getTime();
  const throttle = createThrottle(parsed, now);
  const attempt = createAttempt(parsed, createPost(url, keys, parsed), throttle, now);
  let isGone = false;

  const send = async (delivery: Delivery): Promise<void> => {
    const attempted = await attempt(delivery);
    if (attempted.kind === 'gone') isGone = true;
    else await queue.save(attempted, now());
    onAttempt(attempted);
  };

  const addChanges = createAddChanges(options, now);
  const work = createWork(parsed, throttle, { addChanges, send, isGone: () => isGone, now });
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
