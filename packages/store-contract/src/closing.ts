import type { StoreError } from '@clinical-records/core';
import { isRight } from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { expect } from 'vitest';
import { answer, change, failure, oneOfEach, query, turn, write } from './builders.ts';
import type { Topic } from './topic.ts';

export const closing: Topic = (test) => {
  test('after close everything is Unavailable', async (store) => {
    await write(store, change());
    await answer(store.close());
    for (const task of oneOfEach(store)) expect((await failure(task))._tag).toBe('Unavailable');
  });

  test('a task made before close and run after it is Unavailable', async (store) => {
    const tasks = oneOfEach(store);
    await answer(store.close());
    for (const task of tasks) expect((await failure(task))._tag).toBe('Unavailable');
  });

  test('close finishes what was begun', async (store) => {
    const finished: boolean[] = [];
    const begun = [
      store.read(change()),
      store.search(query()),
      ...['a', 'b', 'c'].map((id) => store.commit({ changes: [change({ id })], premises: [] })),
    ].map(async (task: TaskEither<StoreError, unknown>) => finished.push(isRight(await task())));
    await answer(store.close());
    // Who was kept waiting is told in the turn in which close answers, though maybe after it.
    await turn();
    const whenClosed = [...finished];
    await Promise.all(begun);
    expect(whenClosed).toEqual(begun.map(() => true));
  });
};
