import type { StoreError } from '@clinical-records/core';
import { isRight } from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { expect } from 'vitest';
import { answer, change, failure, query, turn, write } from './builders.ts';
import type { Topic } from './topic.ts';

export const closing: Topic = (test) => {
  test('after close everything is Unavailable', async (store) => {
    await write(store, change());
    await answer(store.close());
    const tasks = [
      store.read(change()),
      store.readResource(change()),
      store.search(query()),
      store.commit({ changes: [change({ id: 'b' })], premises: [] }),
      store.history(change()),
      store.changesSince({ position: 0, limit: 1 }),
      store.scan({ position: 0, limit: 1 }),
      store.close(),
    ];
    for (const task of tasks) expect((await failure(task))._tag).toBe('Unavailable');
  });

  test('a task made before close and run after it is Unavailable', async (store) => {
    const tasks = [store.read(change()), store.commit({ changes: [change()], premises: [] })];
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
