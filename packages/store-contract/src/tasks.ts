import { expect } from 'vitest';
import { answer, change, oneOfEach, query, versionOf } from './builders.ts';
import type { Topic } from './topic.ts';

const ref = { type: 'Immunization', id: 'a' };

export const tasks: Topic = (test) => {
  test('no function throws or rejects, not even after close', async (store) => {
    for (const round of ['open', 'closed']) {
      for (const task of oneOfEach(store)) {
        expect({ round, tag: (await task())._tag }).toEqual({
          round,
          tag: round === 'open' ? 'Right' : 'Left',
        });
      }
    }
  });

  test('a task does nothing before it is run', async (store) => {
    oneOfEach(store);
    expect(await answer(store.read(ref))).toBeNull();
    expect(await answer(store.changesSince({ position: 0, limit: 10 }))).toEqual([]);
  });

  test('every task may be run more than once', async (store) => {
    const read = store.read(ref);
    const readResource = store.readResource(ref);
    const search = store.search(query());
    const history = store.history(ref);
    const feed = store.changesSince({ position: 0, limit: 10 });
    const scan = store.scan({ position: 0, limit: 10 });
    const commit = store.commit({ changes: [change()], premises: [] });
    for (const version of [1, 2]) {
      expect(await answer(commit)).toEqual([version]);
      expect(await answer(read)).toEqual(versionOf(change(), version));
      expect(await answer(readResource)).toMatchObject({ version });
      expect((await answer(search)).total).toBe(1);
      expect(await answer(history)).toHaveLength(version);
      expect(await answer(feed)).toHaveLength(version);
      expect(await answer(scan)).toMatchObject([{ version }]);
    }
  });
};
