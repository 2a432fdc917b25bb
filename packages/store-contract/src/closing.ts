import type { StoreError } from '@clinical-records/core/store';
import { isRight } from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { expect } from 'vitest';
import { change, errorOf, everyTask, nextTurn, query, resultOf, write } from './builders.ts';
import type { TestTopic } from './test-topic.ts';

export const closing: TestTopic = (test) => {
  test('after close everything is Unavailable', async (store) => {
    await write(store, change());
    await resultOf(store.close());
    for (const task of everyTask(store)) expect((await errorOf(task))._tag).toBe('Unavailable');
  });

  test('a task made before close and run after it is Unavailable', async (store) => {
    const tasks = everyTask(store);
    await resultOf(store.close());
    for (const task of tasks) expect((await errorOf(task))._tag).toBe('Unavailable');
  });

  test('close finishes what was begun', async (store) => {
    const finished: boolean[] = [];
    const begun = [
      store.read(change()),
      store.search(query()),
      ...['a', 'b', 'c'].map((id) => store.commit({ changes: [change({ id })], versionChecks: [] })),
    ].map(async (task: TaskEither<StoreError, unknown>) => finished.push(isRight(await task())));
    await resultOf(store.close());
    // A function that had to wait returns in the same turn as close, but perhaps after it.
    await nextTurn();
    const whenClosed = [...finished];
    await Promise.all(begun);
    expect(whenClosed).toEqual(begun.map(() => true));
  });
};
