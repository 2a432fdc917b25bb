import { Absent, Any, type Premise, Version } from '@clinical-records/core';
import { expect } from 'vitest';
import { answer, change, commit, failure, write } from './builders.ts';
import type { Topic } from './topic.ts';

const note = { type: 'Encounter', id: 'note' };

const about = (expects: Premise['expects']): Premise => ({ ...note, expects });

export const premises: Topic = (test) => {
  test('a commit lands whose premises hold', async (store) => {
    await write(store, change(note), change(note));
    expect(await commit(store, [change({ id: 'a' })], [about(Version(2))])).toEqual([1]);
    expect(await commit(store, [change({ id: 'b' })], [about(Any)])).toEqual([1]);
  });

  test('a premise may be that a record is absent', async (store) => {
    expect(await commit(store, [change()], [about(Absent)])).toEqual([1]);
    expect(await commit(store, [change()], [about(Any)])).toEqual([2]);
  });

  test('a premise is not written', async (store) => {
    await write(store, change(note));
    await commit(store, [change()], [about(Version(1))]);
    expect((await answer(store.read(note)))?.version).toBe(1);
    expect(await answer(store.history(note))).toHaveLength(1);
    expect(await answer(store.changesSince({ position: 0, limit: 10 }))).toHaveLength(2);
  });

  test('a premise that fails writes nothing and is named in the conflict', async (store) => {
    await write(store, change(note), change(note));
    for (const expects of [Absent, Version(1), Version(3)]) {
      const refused = await failure(store.commit({ changes: [change()], premises: [about(expects)] }));
      expect(refused).toEqual({ _tag: 'Conflict', ref: note, actual: 2 });
    }
    expect(await answer(store.read(change()))).toBeNull();
    expect(await answer(store.changesSince({ position: 0, limit: 10 }))).toHaveLength(2);
  });

  test('a premise on a version of a record that is absent fails', async (store) => {
    const refused = await failure(store.commit({ changes: [change()], premises: [about(Version(1))] }));
    expect(refused).toEqual({ _tag: 'Conflict', ref: note, actual: null });
    expect(await answer(store.read(change()))).toBeNull();
  });

  test('the first of several premises that fail is named', async (store) => {
    await write(store, change(note));
    const other: Premise = { type: 'Patient', id: 'other', expects: Version(4) };
    const commits = [
      { failing: [about(Version(1)), about(Absent), other], ref: note, actual: 1 },
      { failing: [other, about(Absent)], ref: { type: 'Patient', id: 'other' }, actual: null },
    ];
    for (const { failing, ref, actual } of commits) {
      const refused = await failure(store.commit({ changes: [change()], premises: failing }));
      expect(refused).toEqual({ _tag: 'Conflict', ref, actual });
    }
  });

  test('a premise about a record that the commit changes is held to the version before it', async (store) => {
    expect(await commit(store, [change(note)], [about(Absent)])).toEqual([1]);
    expect(await commit(store, [change(note)], [about(Version(1))])).toEqual([2]);
    const refused = await failure(store.commit({ changes: [change(note)], premises: [about(Version(3))] }));
    expect(refused).toEqual({ _tag: 'Conflict', ref: note, actual: 2 });
  });

  test('a commit of premises alone is a check', async (store) => {
    await write(store, change(note));
    expect(await commit(store, [], [about(Version(1))])).toEqual([]);
    const refused = await failure(store.commit({ changes: [], premises: [about(Absent)] }));
    expect(refused).toEqual({ _tag: 'Conflict', ref: note, actual: 1 });
  });
};
