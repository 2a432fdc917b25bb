import {
  anyVersion,
  type ExpectedVersion,
  exactVersion,
  isExpectedVersion,
  noVersion,
} from '@clinical-records/core/store';
import { expect } from 'vitest';
import { change, commit, errorOf, resultOf, versionOf, write } from '../builders.ts';
import type { TestTopic } from '../test-topic.ts';

const ref = { type: 'Immunization', id: 'a' };

const expectations: readonly [name: string, expects: ExpectedVersion][] = [
  ['Absent', noVersion],
  ['the first version', exactVersion(1)],
  ['the second version', exactVersion(2)],
  ['the third version', exactVersion(3)],
  ['Any', anyVersion],
];

const recordStates: readonly [name: string, actual: number | null][] = [
  ['a record that is absent', null],
  ['a record at its first version', 1],
  ['a record at its second version', 2],
];

export const expectedVersions: TestTopic = (test) => {
  for (const [expected, expects] of expectations) {
    for (const [standing, actual] of recordStates) {
      const written = (actual ?? 0) + 1;
      const lands = isExpectedVersion(expects, actual);
      const outcome = lands ? `becomes version ${written} of` : 'is refused for';
      test(`a change that expects ${expected} ${outcome} ${standing}`, async (store) => {
        for (let version = 1; version < written; version += 1) await write(store, change());
        const before = await resultOf(store.read(ref));
        const newChange = change({ expects, state: '{"state":"new"}' });
        const committed = store.commit({ changes: [newChange], versionChecks: [] });
        if (lands) {
          expect(await resultOf(committed)).toEqual([written]);
          expect(await resultOf(store.read(ref))).toEqual(versionOf(newChange, written));
        } else {
          expect(await errorOf(committed)).toEqual({ _tag: 'Conflict', ref, actual });
          expect(await resultOf(store.read(ref))).toEqual(before);
        }
      });
    }
  }

  test('a version that no record has is a conflict, of a change and of a version check', async (store) => {
    await write(store, change());
    const versions = [0, -1, 0.5, 1.5, 2 ** 31 - 1, 2 ** 31, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY];
    for (const expects of versions.map(exactVersion)) {
      for (const [id, actual] of [
        ['a', 1],
        ['absent', null],
      ] as const) {
        const conflict = { _tag: 'Conflict', ref: { ...ref, id }, actual };
        const changes = [change({ id, expects })];
        expect(await errorOf(store.commit({ changes, versionChecks: [] }))).toEqual(conflict);
        const versionChecks = [{ ...ref, id, expects }];
        expect(await errorOf(store.commit({ changes: [change({ id: 'b' })], versionChecks }))).toEqual(
          conflict,
        );
      }
    }
    expect(await resultOf(store.changesSince({ limit: 10 }))).toHaveLength(1);
  });

  test('a record that is absent is read as null', async (store) => {
    await write(store, change({ id: 'b' }), change({ type: 'Goal' }));
    expect(await resultOf(store.read(ref))).toBeNull();
  });

  test('a record is named by its type and its id together', async (store) => {
    const goal = change({ type: 'Goal', expects: noVersion });
    await write(store, change(), goal);
    expect(await resultOf(store.read({ type: 'Goal', id: 'a' }))).toEqual(versionOf(goal, 1));
    expect(await resultOf(store.read(ref))).toEqual(versionOf(change(), 1));
  });

  test('versions of a record count 1, 2, 3 without a gap, refused commits in between or not', async (store) => {
    expect(await commit(store, [change()])).toEqual([1]);
    await errorOf(store.commit({ changes: [change({ expects: exactVersion(9) })], versionChecks: [] }));
    expect(await commit(store, [change()])).toEqual([2]);
    await errorOf(store.commit({ changes: [change({ expects: noVersion })], versionChecks: [] }));
    expect(await commit(store, [change()])).toEqual([3]);
  });
};
