import type { ClinicalStore } from '@clinical-records/core/store';
import { everything, mapResult, mutant, nextTurn } from './mutant.ts';

type PageItem = { readonly id: string };

/** Commits of 'r10' to 'r19' take their positions at once, and are visible in some function a turn later. */
const delayVisibility =
  (faulty: (store: ClinicalStore, seen: (one: PageItem) => boolean) => Partial<ClinicalStore>) =>
  (store: ClinicalStore): Partial<ClinicalStore> => {
    const hidden = new Set<string>();
    return {
      commit: async (wanted) => {
        const slow = wanted.changes.filter(({ id }) => /^r1\d$/.test(id)).map(({ id }) => id);
        for (const id of slow) hidden.add(id);
        const outcome = await store.commit(wanted);
        if (slow.length > 0) await nextTurn();
        for (const id of slow) hidden.delete(id);
        return outcome;
      },
      ...faulty(store, ({ id }) => !hidden.has(id)),
    };
  };

export const readingWhileWritingMutants = [
  mutant(
    'an entry that appears after a later one has been returned',
    'a reader of the feed that continues while others write misses nothing and gets nothing twice',
    delayVisibility((store, isSeen) => ({
      changesSince: ({ position, limit }) =>
        mapResult(store.changesSince({ ...everything, position }), (entries) =>
          entries.filter(isSeen).slice(0, limit),
        ),
    })),
  ),
  mutant(
    'a record that a scan shows after one that was created later',
    'a reader of a scan that continues while others write misses nothing and gets nothing twice',
    delayVisibility((store, isSeen) => ({
      scan: ({ position, limit }) =>
        mapResult(store.scan({ ...everything, position }), (records) =>
          records.filter(isSeen).slice(0, limit),
        ),
    })),
  ),
  mutant(
    'a record that is found after one that was created later',
    'a reader of pages that continues while others write misses nothing and gets nothing twice',
    delayVisibility((store, isSeen) => ({
      search: (query) =>
        mapResult(store.search({ ...query, count: everything.limit }), (page) => ({
          ...page,
          matches: page.matches.filter(isSeen).slice(0, query.count),
        })),
    })),
  ),
];
