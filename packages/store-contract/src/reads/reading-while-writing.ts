import type { ClinicalStore, Position } from '@clinical-records/core/store';
import { expect } from 'vitest';
import { change, commit, idsOf, nextTurn, query, resultOf } from '../builders.ts';
import type { TestTopic } from '../test-topic.ts';

const ids = Array.from({ length: 40 }, (_, index) => `r${index}`);

type PageItem = { readonly id: string; readonly position?: Position };

/** Reads the items after the last one that was read; null reads from the beginning. */
type Reader = (store: ClinicalStore, last: PageItem | null) => Promise<readonly PageItem[]>;

const limit = 1000;

const readers: Readonly<Record<string, Reader>> = {
  'a reader of the feed': (store, last) => resultOf(store.changesSince({ position: last?.position, limit })),
  'a reader of a scan': (store, last) => resultOf(store.scan({ position: last?.position, limit })),
  'a reader of pages': async (store, last) => {
    const start = last === null ? { offset: 0 } : { after: last.id };
    return (await resultOf(store.search(query([], { start, count: limit })))).matches;
  },
};

/** Continues after the last item that was read, until there are no more items and everything was written. */
const followToEnd = async (
  next: (last: PageItem | null) => Promise<readonly PageItem[]>,
  isWriting: () => boolean,
): Promise<readonly PageItem[]> => {
  const seen: PageItem[] = [];
  while (seen.length <= ids.length) {
    const mayComeMore = isWriting();
    const more = await next(seen.at(-1) ?? null);
    if (more.length === 0 && !mayComeMore) return seen;
    seen.push(...more);
    await nextTurn();
  }
  throw new Error('The reader got more items than were written.');
};

export const readingWhileWriting: TestTopic = (test) => {
  for (const [name, read] of Object.entries(readers)) {
    test(`${name} that continues while others write misses nothing and gets nothing twice`, async (store) => {
      let isWriting = true;
      const writing = Promise.all(ids.map((id) => commit(store, [change({ id })]))).finally(() => {
        isWriting = false;
      });
      const reading = followToEnd(
        (last) => read(store, last),
        () => isWriting,
      );
      const [seen] = await Promise.all([reading, writing]);
      expect(idsOf(seen).toSorted()).toEqual(ids.toSorted());
      expect(seen).toEqual(await read(store, null));
    });
  }
};
