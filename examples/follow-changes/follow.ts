import type { ClinicalRecords, ResourceChange } from '@clinical-records/core';
import type { Timeline } from './timeline.ts';

/** How many changes share a transaction, because the sync to disk is the main cost. */
const batchSize = 100;

/**
 * Brings a timeline up to date. Calls `onBatch` after each batch with the number of changes that were kept.
 *
 * The process may be killed at any time. The next call continues after the last batch that was kept.
 */
export const follow = async (
  { changes }: Pick<ClinicalRecords, 'changes'>,
  timeline: Timeline,
  onBatch: (count: number) => void = () => {},
): Promise<void> => {
  // #region follow
  let since = timeline.position();
  let batch: ResourceChange[] = [];
  const keep = () => {
    timeline.append(batch, since);
    onBatch(batch.length);
    since = batch.at(-1)?.position ?? since;
    batch = [];
  };
  for await (const change of changes({ since })) {
    batch.push(change);
    if (batch.length === batchSize) keep();
  }
  if (batch.length > 0) keep();
  // #endregion
};
