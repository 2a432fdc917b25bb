import { expect } from 'vitest';
import { change, everyTask, query, resultOf, versionOf } from './builders.ts';
import type { TestTopic } from './test-topic.ts';

const ref = { type: 'Immunization', id: 'a' };

export const tasks: TestTopic = (test) => {
  test('no function throws or rejects, not even after close', async (store) => {
    for (const round of ['open', 'closed']) {
      for (const task of everyTask(store)) {
        expect({ round, tag: (await task())._tag }).toEqual({
          round,
          tag: round === 'open' ? 'Right' : 'Left',
        });
      }
    }
  });

  test('a task does nothing before it is run', async (store) => {
    everyTask(store);
    expect(await resultOf(store.read(ref))).toBeNull();
    expect(await resultOf(store.changesSince({ limit: 10 }))).toEqual([]);
  });

  test('every task may be run more than once', async (store) => {
    const read = store.read(ref);
    const readResource = store.readResource(ref);
    const search = store.search(query());
    const history = store.history(ref);
    const feed = store.changesSince({ limit: 10 });
    const scan = store.scan({ limit: 10 });
    const commit = store.commit({ changes: [change()], versionChecks: [] });
    for (const version of [1, 2]) {
      expect(await resultOf(commit)).toEqual([version]);
      expect(await resultOf(read)).toEqual(versionOf(change(), version));
      expect(await resultOf(readResource)).toMatchObject({ version });
      expect((await resultOf(search)).total).toBe(1);
      expect(await resultOf(history)).toHaveLength(version);
      expect(await resultOf(feed)).toHaveLength(version);
      expect(await resultOf(scan)).toMatchObject([{ version }]);
    }
  });
};
