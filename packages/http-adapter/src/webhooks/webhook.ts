import type { ResourceChange } from '@clinical-records/core';
import { requireNumbers, requireSecureUrl, requireTexts } from '../required-options.ts';
import { delayAfter } from './backoff.ts';
import { deliveryOf } from './delivery-of.ts';
import type { Attempt, Delivery } from './delivery-queue.ts';
import { parseSecret, signedHeaders } from './signature.ts';
import { wait as waitFor } from './wait.ts';
import type { WebhookOptions } from './webhook-options.ts';

export type { WebhookOptions } from './webhook-options.ts';

/** Posts the feed to one endpoint. */
export type Webhook = {
  /**
   * Adds the changes that are new to the queue, and sends the deliveries that are due, one for each of some records.
   * Returns when the next delivery is due, in milliseconds since 1970; null if none is outstanding. Rejects if the feed
   * or the queue fails.
   */
  readonly deliver: () => Promise<number | null>;
  /** Delivers until the signal is aborted, and the attempts of that moment have ended. Rejects as `deliver` does. */
  readonly run: (signal: AbortSignal) => Promise<void>;
};

/** How many changes are added in one write. */
const batchSize = 100;

/**
 * Creates a webhook, which posts each change of the feed to an endpoint at least once, and the versions of each record in
 * their order. A delivery that fails is sent again, and only later versions of its record wait for it. Any status but a 2xx
 * is a failure; a redirect is not followed.
 *
 * Throws a TypeError for a missing secret. Throws a RangeError for a malformed one, for a URL without https or with a password,
 * and for a number below 1. Source: Standard Webhooks 1.0.0, and docs/webhooks.md.
 *
 * @example
 * const webhook = createWebhook({ records, queue, url: 'https://lab.example/webhooks', secret });
 * await webhook.run(stop.signal);
 */
export const createWebhook = (options: WebhookOptions): Webhook => {
  const { records, queue, includeResource = false, filter = () => true, onAttempt = () => {} } = options;
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

  const addChanges = async () => {
    let since = await queue.position();
    let batch: ResourceChange[] = [];
    const add = async () => {
      const position = batch.at(-1)?.position;
      if (position === undefined) return;
      const deliveries = batch.filter(filter).map((change) => deliveryOf(change, includeResource));
      await queue.add({ deliveries, since, position, at: now() });
      since = position;
      batch = [];
    };
    for await (const change of records.changes({ since })) {
      batch.push(change);
      if (batch.length === batchSize) await add();
    }
    await add();
  };

  const post = async ({ webhookId, body }: Delivery): Promise<Pick<Attempt, 'status' | 'error'>> => {
    const headers = {
      'content-type': 'application/json',
      ...signedHeaders(keys, { webhookId, body, at: now() }),
    };
    const signal = AbortSignal.timeout(timeout);
    try {
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      await response.body?.cancel();
      return { status: response.status };
    } catch (error) {
      return { status: null, error };
    }
  };

  const attempt = async (delivery: Delivery): Promise<Attempt> => {
    const response = { delivery, ...(await post(delivery)) };
    const attempts = delivery.attempts + 1;
    const { status } = response;
    if (status !== null && status >= 200 && status < 300) return { ...response, kind: 'delivered' };
    if (attempts >= attemptLimit) return { ...response, kind: 'dead' };
    return { ...response, kind: 'failed', dueAt: now() + delayAfter(attempts, backoff, random()) };
  };

  const deliver = async () => {
    await addChanges();
    const due = await queue.due(now(), concurrency);
    const attempts = await Promise.all(due.map(attempt));
    if (attempts.length > 0) await queue.save(attempts, now());
    attempts.forEach(onAttempt);
    return queue.nextDueAt();
  };

  const run = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      const dueAt = await deliver();
      const delay = dueAt === null ? pollInterval : Math.min(pollInterval, dueAt - now());
      if (delay > 0) await wait(delay, signal);
    }
  };

  return { deliver, run };
};
