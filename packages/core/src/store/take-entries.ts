import type { EntryRange, StoredRecord } from './port.ts';

/** The first entries, up to the one that ends the page. It does not ask the iterator for more. */
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
