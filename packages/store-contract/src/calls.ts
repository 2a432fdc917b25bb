import { expect } from 'vitest';
import { everyCall } from './builders.ts';
import type { TestTopic } from './test-topic.ts';

export const calls: TestTopic = (test) => {
  test('every function returns a promise, which has begun', async (store) => {
    const begun = everyCall(store).map((call) => call());
    for (const call of begun) expect(call).toBeInstanceOf(Promise);
    await Promise.all(begun);
  });

  test('no function but close throws or rejects, not even after close', async (store) => {
    for (const round of ['open', 'closed']) {
      for (const call of everyCall(store)) {
        expect({ round, tag: (await call())._tag }).toEqual({
          round,
          tag: round === 'open' ? 'Right' : 'Left',
        });
      }
      if (round === 'open') await store.close();
    }
  });
};
