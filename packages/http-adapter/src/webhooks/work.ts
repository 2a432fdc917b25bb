import type { Delivery } from './delivery-queue.ts';
import type { Throttle } from './post.ts';
import type { WebhookOptions } from './webhook.ts';

/** The deliveries that are being sent at the same time, each of another record. */
const createSendings = (send: (delivery: Delivery) => Promise<void>, onEnd: () => void) => {
  const sending = new Map<string, Promise<void>>();
  const failures: unknown[] = [];

  const fail = (cause: unknown): null => {
    failures.push(cause);
    return null;
  };

  const begin = (delivery: Delivery): void => {
    const sent = send(delivery)
      .catch(fail)
      .then(() => {
        sending.delete(delivery.record);
        onEnd();
      });
    sending.set(delivery.record, sent);
  };

  return {
    fail,
    hasFailed: () => failures.length > 0,
    isEmpty: () => sending.size === 0,

    /**
     * Begins deliveries that are due, in the places that are free. Those in flight are due, too, even if they end while the queue is
     * read.
     */
    fill: async (places: number, due: (limit: number) => Promise<readonly Delivery[]>): Promise<void> => {
      if (sending.size >= places) return;
      const inFlight = new Set(sending.keys());
      const waiting = (await due(places)).filter(({ record }) => !inFlight.has(record));
      waiting.slice(0, places - sending.size).forEach(begin);
    },

    /** Waits for the deliveries in flight. Rejects with the first failure, if there is one. */
    end: async (): Promise<void> => {
      await Promise.all(sending.values());
      if (failures.length > 0) throw failures[0];
    },
  };
};

/**
 * Creates the function that adds changes to the queue, and sends what is due, until the signal is aborted or the endpoint has ended.
 * Without a signal, until nothing is due; it returns when something is.
 */
export const createWork = (
  { queue, pollInterval, wait }: Required<Pick<WebhookOptions, 'queue' | 'pollInterval' | 'wait'>>,
  throttle: Throttle,
  {
    addChanges,
    send,
    isGone,
    now,
  }: {
    readonly addChanges: () => Promise<boolean>;
    readonly send: (delivery: Delivery) => Promise<void>;
    readonly isGone: () => boolean;
    readonly now: () => number;
  },
) => {
  /** The first time after `at` when something may be sent; null if nothing is outstanding. */
  const nextDueAt = async (at: number): Promise<number | null> =>
    throttle.places(at) === 0 ? throttle.until() : queue.nextDueAt(at);

  return async (signal?: AbortSignal): Promise<number | null> => {
    let wake = () => {};
    const sendings = createSendings(send, () => wake());

    const loop = async (): Promise<number | null> => {
      let hasMore = true;
      let pollAt = now();
      while (!isGone() && !signal?.aborted && !sendings.hasFailed()) {
        // An attempt that ends from now on ends the wait below.
        const pause = new AbortController();
        wake = () => pause.abort();
        if (now() >= pollAt) hasMore = await addChanges();
        const at = now();
        await sendings.fill(throttle.places(at), (limit) => queue.due(at, limit));
        if (hasMore) continue;
        if (at >= pollAt) pollAt = at + pollInterval;
        const dueAt = await nextDueAt(at);
        if (signal === undefined && sendings.isEmpty()) return dueAt;
        const delay = Math.min(pollAt, dueAt ?? pollAt) - now();
        if (delay > 0 && !pause.signal.aborted) await wait(delay, pause.signal);
      }
      return null;
    };

    const stop = () => wake();
    signal?.addEventListener('abort', stop);
    const dueAt = await loop().catch(sendings.fail);
    signal?.removeEventListener('abort', stop);
    await sendings.end();
    return dueAt;
  };
};
