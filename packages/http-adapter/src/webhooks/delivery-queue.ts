import { createHash } from 'node:crypto';
import type { FeedPosition } from '@clinical-records/core';
import type { AnyChange, WebhookOptions } from './webhook.ts';

/** One change that an endpoint has not accepted yet. */
export type Delivery = {
  /** The `webhook-id`: the same in each attempt, and in each queue. No other change has it. */
  readonly webhookId: string;
  /** The resource, such as `Goal/7`. Its deliveries are sent in the order of its versions. */
  readonly record: string;
  /** The JSON that is sent. */
  readonly body: string;
  /** How often sending it has failed. */
  readonly attempts: number;
};

/** An attempt to send a delivery, and what becomes of the delivery. Times are in milliseconds since 1970. */
export type Attempt = {
  /** The delivery as it was sent: its `attempts` are those before. */
  readonly delivery: Delivery;
  /** The status of the response; null if there was none. */
  readonly status: number | null;
  /** Why there was no response; undefined if there was one. */
  readonly error?: unknown;
} & (
  | {
      /** The endpoint has accepted it. */
      readonly kind: 'delivered';
    }
  | {
      /** It is sent again. */
      readonly kind: 'failed';
      /** When it is due again. */
      readonly dueAt: number;
    }
  | {
      /** It is not sent again: it is a dead letter. */
      readonly kind: 'dead';
    }
  | {
      /** The endpoint has ended: it wants nothing any more. */
      readonly kind: 'gone';
    }
);

/**
 * The outstanding deliveries of one endpoint, and how far the feed was read for it. A host keeps them, so that they outlive
 * the process. A delivery is due as soon as it is the oldest of its record. Each function may be called while other calls have not
 * ended. Times are in milliseconds since 1970.
 */
export type DeliveryQueue = {
  /** The position of the last change that was added; undefined before the first. */
  readonly position: () => Promise<FeedPosition | undefined>;
  /**
   * Adds deliveries behind all others, and replaces the position `since` with `position`: all of it, or nothing. Rejects if
   * the position is not `since`, because then another process has added these deliveries.
   */
  readonly add: (added: {
    readonly deliveries: readonly Delivery[];
    readonly since: FeedPosition | undefined;
    readonly position: FeedPosition;
    /** When those are due that are the oldest of their records. */
    readonly at: number;
  }) => Promise<void>;
  /** The deliveries that are due at a time, at most `limit`. Those that are due for longest come first. */
  readonly due: (at: number, limit: number) => Promise<readonly Delivery[]>;
  /** The first time after `at` when a delivery is due; null if there is none. */
  readonly nextDueAt: (at: number) => Promise<number | null>;
  /**
   * Writes an attempt. A delivered or dead delivery leaves the queue; the next of its record is then due at `at`. A dead one is
   * kept elsewhere. A failed one has one attempt more, and is due at `dueAt`. Does nothing for a delivery that is not in the queue any
   * more, because another process has sent it.
   */
  readonly save: (attempt: Exclude<Attempt, { readonly kind: 'gone' }>, at: number) => Promise<void>;
};

/**
 * The delivery of a change. A version number may exist again, with other content, after a copy was restored. So the id is
 * made of the position, which contains the digest of the version.
 */
const deliveryOf = (change: AnyChange, includeResource: boolean): Delivery => {
  const { position, resourceType, id, version, patientId, at, by, resource } = change;
  return {
    webhookId: createHash('sha256').update(position).digest('hex'),
    record: `${resourceType}/${id}`,
    body: JSON.stringify({
      type: `${resourceType}.changed`,
      timestamp: at,
      data: { resourceType, id, version, patientId, by, ...(includeResource ? { resource } : {}) },
    }),
    attempts: 0,
  };
};

/** How many changes are added in one write. */
const batchSize = 100;

/**
 * Creates a function that adds the next changes of the feed to the queue, at most a batch. It returns whether there may be more.
 */
export const createAddChanges = <Change extends AnyChange>(
  {
    records,
    queue,
    filter = () => true,
    includeResource = false,
  }: Pick<WebhookOptions<Change>, 'records' | 'queue' | 'filter' | 'includeResource'>,
  now: () => number,
): (() => Promise<boolean>) => {
  let changes: AsyncIterator<Change, void> | null = null;
  let since: FeedPosition | undefined;

  const readBatch = async (from: AsyncIterator<Change, void>): Promise<readonly Change[]> => {
    const batch: Change[] = [];
    while (batch.length < batchSize) {
      const next = await from.next();
      if (next.done) {
        changes = null;
        break;
      }
      batch.push(next.value);
    }
    return batch;
  };

  return async () => {
    try {
      if (changes === null) {
        since = await queue.position();
        changes = records.changes({ since });
      }
      const batch = await readBatch(changes);
      const position = batch.at(-1)?.position;
      if (position === undefined) return false;
      const deliveries = batch.filter(filter).map((change) => deliveryOf(change, includeResource));
      await queue.add({ deliveries, since, position, at: now() });
      since = position;
      return changes !== null;
    } catch (cause) {
      // The changes that were read may not have been added: they are read again.
      changes = null;
      throw cause;
    }
  };
};
