import type { ClinicalRecords, ResourceChange } from '@clinical-records/core';
import type { Timeline } from './timeline.ts';

/** How many changes share a transaction, since what costs is the sync to disk. */
const batchSize = 100;

/**
 * Brings a timeline up to now, from wherever it is. Calls `onKept` with how many changes were kept, batch by batch.
 *
 * It may be killed at any time: whoever calls it next goes on after the last batch that was kept.
 */
export const follow = async (
  { changes }: Pick<ClinicalRecords, 'changes'>,
  timeline: Timeline,
  onBatch: (count: number) => void = () => {},
): Promise<void> => {
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
};
