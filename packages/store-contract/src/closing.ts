import { ClinicalRecordsError } from '@clinical-records/core';
import type { StoreOutcome } from '@clinical-records/core/store';
import { isRight } from 'fp-ts/lib/Either.js';
import { expect } from 'vitest';
import { change, errorOf, everyCall, nextTurn, query, write } from './builders.ts';
import type { TestTopic } from './test-topic.ts';

export const closing: TestTopic = (test) => {
  test('after close everything is Closed', async (store) => {
    await write(store, change());
    await store.close();
    for (const call of everyCall(store)) expect((await errorOf(call()))._tag).toBe('Closed');
  });

  test('a second close rejects with a StoreFailure', async (store) => {
    await store.close();
    const thrown: unknown = await store.close().then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(thrown).toBeInstanceOf(ClinicalRecordsError);
    expect(thrown).toMatchObject({ tag: 'StoreFailure' });
  });

  test('close finishes what was begun', async (store) => {
    const finished: boolean[] = [];
    const begun = [
      store.read(change()),
      store.search(query()),
      ...['a', 'b', 'c'].map((id) => store.commit({ changes: [change({ id })], versionChecks: [] })),
    ].map(async (called: StoreOutcome<unknown>) => finished.push(isRight(await called)));
    await store.close();
    // A function that had to wait returns in the same turn as close, but perhaps after it.
    await nextTurn();
    const whenClosed = [...finished];
    await Promise.all(begun);
    expect(whenClosed).toEqual(begun.map(() => true));
  });
};
