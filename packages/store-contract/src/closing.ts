import { isRight } from 'fp-ts/lib/Either.js';
import { expect } from 'vitest';
import { answer, change, failure, query, write } from './builders.ts';
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
    const begun = ['a', 'b', 'c'].map((id) => store.commit({ changes: [change({ id })], premises: [] })());
    await answer(store.close());
    for (const outcome of await Promise.all(begun)) expect(isRight(outcome)).toBe(true);
  });
};
