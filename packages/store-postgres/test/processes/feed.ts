import type { ClinicalStore, FeedEntry } from '@clinical-records/core/store';
import { resultOf } from '../store-helpers.ts';

/** Reads the feed to its end again and again, until it is over, and a last time. */
export const followFeed = async (
  store: ClinicalStore,
  isOver: () => boolean = () => true,
): Promise<readonly FeedEntry[]> => {
  const entries: FeedEntry[] = [];
  for (;;) {
    const isLast = isOver();
    const page = await resultOf(store.changesSince({ position: entries.at(-1)?.position, limit: 100 }));
    entries.push(...page);
    if (isLast && page.length === 0) return entries;
  }
};

/** An entry as a text that differs if anything of it does. */
export const nameEntry = ({ position, id, version, digest }: FeedEntry): string =>
  `${position} ${id}:${version} ${digest}`;
