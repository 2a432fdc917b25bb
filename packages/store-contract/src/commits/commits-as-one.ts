import { anyVersion, exactVersion, noVersion, type StoreError } from '@clinical-records/core/store';
import type { Either } from 'fp-ts/lib/Either.js';
import { expect } from 'vitest';
import { change, errorOf, findIds, readVersions, resultOf, token, versionOf, write } from '../builders.ts';
import { withoutFeedPosition } from '../reads/feed.ts';
import type { TestTopic } from '../test-topic.ts';

const status = (code: string) => ({ index: [token('status', code)], state: `{"status":"${code}"}` });
const isStatus = (code: string) =>
  ({ on: 'token', parameter: 'status', anyOf: [{ system: null, code }] }) as const;

export const commitsAsOne: TestTopic = (test) => {
  test('several commits are written one after the other, each on the versions of those before it', async (store) => {
    await write(store, change({ id: 'known' }));
    const first = change({ id: 'new', ...status('draft'), by: 'Practitioner/1', expects: noVersion });
    const second = change({ id: 'new', ...status('active'), by: 'Practitioner/2', expects: exactVersion(1) });
    const known = change({ id: 'known', ...status('active'), expects: exactVersion(1) });
    const written = await resultOf(
      store.commitAll(
        [
          { changes: [], versionChecks: [{ type: 'Immunization', id: 'new', expects: noVersion }] },
          { changes: [first], versionChecks: [] },
          { changes: [known, second], versionChecks: [] },
          { changes: [], versionChecks: [{ type: 'Immunization', id: 'new', expects: exactVersion(2) }] },
        ],
        [],
      ),
    );
    expect(written).toEqual([[], [1], [2, 2], []]);
    expect(await readVersions(store, first)).toEqual([versionOf(second, 2), versionOf(first, 1)]);
    expect(await findIds(store, isStatus('active'))).toEqual(['known', 'new']);
    expect(await findIds(store, isStatus('draft'))).toEqual([]);
    const feed = await resultOf(store.changesSince({ limit: 10 }));
    expect(feed.slice(1).map(withoutFeedPosition)).toEqual([
      versionOf(first, 1),
      versionOf(known, 2),
      versionOf(second, 2),
    ]);
    expect(new Set(feed.map(({ digest }) => digest)).size).toBe(4);
    expect(await resultOf(store.feedEnd())).toMatchObject({ digest: feed.at(-1)?.digest });
  });

  test('nothing of several commits is written if one of them is refused, and the conflict names its record', async (store) => {
    await write(store, change({ id: 'known' }));
    const before = await resultOf(store.changesSince({ limit: 10 }));
    const first = { changes: [change({ id: 'new', ...status('active') })], versionChecks: [] };
    for (const [expects, actual] of [
      [exactVersion(7), 1],
      [noVersion, 1],
    ] as const)
      for (const last of [
        { changes: [change({ id: 'known', ...status('active'), expects })], versionChecks: [] },
        { changes: [], versionChecks: [{ type: 'Immunization', id: 'known', expects }] },
      ])
        expect(await errorOf(store.commitAll([first, last], []))).toEqual({
          _tag: 'Conflict',
          ref: { type: 'Immunization', id: 'known' },
          actual,
        });
    const own = { changes: [change({ id: 'new', expects: noVersion })], versionChecks: [] };
    expect(await errorOf(store.commitAll([first, own], []))).toMatchObject({ _tag: 'Conflict', actual: 1 });
    expect(await resultOf(store.changesSince({ limit: 10 }))).toEqual(before);
    expect(await findIds(store, isStatus('active'))).toEqual([]);
    expect(await resultOf(store.commit(first))).toEqual([1]);
  });

  test('a write of the host that fails undoes everything, or the store refuses such writes', async (store) => {
    const reason = new Error('the host thinks better of it');
    const commits = [{ changes: [change({ ...status('active'), expects: anyVersion })], versionChecks: [] }];
    for (const fail of [
      () => {
        throw reason;
      },
      () => Promise.reject(reason),
    ]) {
      const ended = await store
        .commitAll(commits, [fail])
        .then((outcome: Either<StoreError, unknown>) => (outcome._tag === 'Left' ? outcome.left._tag : null))
        .catch((thrown: unknown) => thrown);
      expect([reason, 'Misuse']).toContain(ended);
    }
    expect(await resultOf(store.read(change()))).toBeNull();
    expect(await resultOf(store.commitAll(commits, []))).toEqual([[1]]);
  });
};
