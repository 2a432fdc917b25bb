import type { ClinicalStore } from '@clinical-records/core';
import { expect } from 'vitest';
import { answer, change, commit, idsOf, query, turn } from './builders.ts';
import type { Topic } from './topic.ts';

const ids = Array.from({ length: 40 }, (_, at) => `r${at}`);

type Told = { readonly id: string; readonly position: number };

type Reader = (store: ClinicalStore, position: number) => Promise<readonly Told[]>;

const limit = 1000;

const readers: Readonly<Record<string, Reader>> = {
  'a reader of the feed': (store, position) => answer(store.changesSince({ position, limit })),
  'a reader of a scan': (store, position) => answer(store.scan({ position, limit })),
  'a reader of pages': async (store, after) =>
    (await answer(store.search(query([], { start: { after }, count: limit })))).matches,
};

/** Goes on after the last that was told, until there is nothing more though all had been written. */
const follow = async (
  next: (position: number) => Promise<readonly Told[]>,
  isWriting: () => boolean,
): Promise<readonly Told[]> => {
  const seen: Told[] = [];
  while (seen.length <= ids.length) {
    const mayComeMore = isWriting();
    const more = await next(seen.at(-1)?.position ?? 0);
    if (more.length === 0 && !mayComeMore) return seen;
    seen.push(...more);
    await turn();
  }
  throw new Error('More is told than was written.');
};

export const following: Topic = (test) => {
  for (const [name, read] of Object.entries(readers)) {
    test(`${name} who follows while others write misses nothing and sees nothing twice`, async (store) => {
      let isWriting = true;
      const writing = Promise.all(ids.map((id) => commit(store, [change({ id })]))).finally(() => {
        isWriting = false;
      });
      const reading = follow(
        (position) => read(store, position),
        () => isWriting,
      );
      const [seen] = await Promise.all([reading, writing]);
      expect(idsOf(seen).toSorted()).toEqual(ids.toSorted());
      expect(seen).toEqual(await read(store, 0));
    });
  }
};
