import type { EntryRange, StoredRecord } from './port.ts';

/** The entries with which a page of the feed or of a scan begins, up to the one that ends it. Asks for none after that. */
export const takeEntries = <Entry extends Pick<StoredRecord, 'state' | 'resource'>>(
  entries: Iterable<Entry>,
  { limit, bytes = Number.POSITIVE_INFINITY }: Pick<EntryRange, 'limit' | 'bytes'>,
): readonly Entry[] => {
  const page: Entry[] = [];
  if (limit <= 0) return page;
  let length = 0;
  for (const entry of entries) {
    page.push(entry);
    length += entry.state.length + (entry.resource?.length ?? 0);
    if (page.length >= limit || length >= bytes) break;
  }
  return page;
};
