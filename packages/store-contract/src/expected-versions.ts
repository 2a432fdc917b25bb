import { Absent, Any, type ExpectedVersion, isExpected, Version } from '@clinical-records/core';
import { expect } from 'vitest';
import { answer, change, commit, failure, versionOf, write } from './builders.ts';
import type { Topic } from './topic.ts';

const ref = { type: 'Immunization', id: 'a' };

const expectations: readonly [name: string, expects: ExpectedVersion][] = [
  ['Absent', Absent],
  ['the first version', Version(1)],
  ['the second version', Version(2)],
  ['the third version', Version(3)],
  ['Any', Any],
];

const standings: readonly [name: string, actual: number | null][] = [
  ['a record that is absent', null],
  ['a record at its first version', 1],
  ['a record at its second version', 2],
];

export const expectedVersions: Topic = (test) => {
  for (const [expected, expects] of expectations) {
    for (const [standing, actual] of standings) {
      const written = (actual ?? 0) + 1;
      const lands = isExpected(expects, actual);
      const outcome = lands ? `becomes version ${written} of` : 'is refused for';
      test(`a change that expects ${expected} ${outcome} ${standing}`, async (store) => {
        for (let version = 1; version < written; version += 1) await write(store, change());
        const before = await answer(store.read(ref));
        const wanted = change({ expects, state: '{"state":"new"}' });
        const task = store.commit({ changes: [wanted], premises: [] });
        if (lands) {
          expect(await answer(task)).toEqual([written]);
          expect(await answer(store.read(ref))).toEqual(versionOf(wanted, written));
        } else {
          expect(await failure(task)).toEqual({ _tag: 'Conflict', ref, actual });
          expect(await answer(store.read(ref))).toEqual(before);
        }
      });
    }
  }

  test('a record that is absent is read as null', async (store) => {
    await write(store, change({ id: 'b' }), change({ type: 'Goal' }));
    expect(await answer(store.read(ref))).toBeNull();
  });

  test('a record is named by its type and its id together', async (store) => {
    const goal = change({ type: 'Goal', expects: Absent });
    await write(store, change(), goal);
    expect(await answer(store.read({ type: 'Goal', id: 'a' }))).toEqual(versionOf(goal, 1));
    expect(await answer(store.read(ref))).toEqual(versionOf(change(), 1));
  });

  test('versions of a record count 1, 2, 3 without a gap, refused commits in between or not', async (store) => {
    expect(await commit(store, [change()])).toEqual([1]);
    await failure(store.commit({ changes: [change({ expects: Version(9) })], premises: [] }));
    expect(await commit(store, [change()])).toEqual([2]);
    await failure(store.commit({ changes: [change({ expects: Absent })], premises: [] }));
    expect(await commit(store, [change()])).toEqual([3]);
  });
};
