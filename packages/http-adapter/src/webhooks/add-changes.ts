import type { FeedPosition, ResourceChange } from '@clinical-records/core';
import { deliveryOf } from './delivery-of.ts';
import type { WebhookOptions } from './webhook-options.ts';

/** How many changes are added in one write. */
const batchSize = 100;

/**
 * Creates a function that adds the next changes of the feed to the queue, at most a batch. It returns whether there may be more.
 */
export const createAddChanges = (
  {
    records,
    queue,
    filter = () => true,
    includeResource = false,
  }: Pick<WebhookOptions, 'records' | 'queue' | 'filter' | 'includeResource'>,
  now: () => number,
): (() => Promise<boolean>) => {
  let changes: AsyncIterator<ResourceChange, void> | null = null;
  let since: FeedPosition | undefined;

  const readBatch = async (from: AsyncIterator<ResourceChange, void>): Promise<readonly ResourceChange[]> => {
    const batch: ResourceChange[] = [];
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
