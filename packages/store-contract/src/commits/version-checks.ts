import { anyVersion, exactVersion, noVersion, type VersionCheck } from '@clinical-records/core/store';
import { expect } from 'vitest';
import { change, commit, errorOf, readHistory, resultOf, write } from '../builders.ts';
import type { TestTopic } from '../test-topic.ts';

const note = { type: 'Encounter', id: 'note' };

const noteCheck = (expects: VersionCheck['expects']): VersionCheck => ({ ...note, expects });

export const versionChecks: TestTopic = (test) => {
  test('a commit whose version checks hold succeeds', async (store) => {
    await write(store, change(note), change(note));
    expect(await commit(store, [change({ id: 'a' })], [noteCheck(exactVersion(2))])).toEqual([1]);
    expect(await commit(store, [change({ id: 'b' })], [noteCheck(anyVersion)])).toEqual([1]);
  });

  test('a version check can require that a record is absent', async (store) => {
    expect(await commit(store, [change()], [noteCheck(noVersion)])).toEqual([1]);
    expect(await commit(store, [change()], [noteCheck(anyVersion)])).toEqual([2]);
  });

  test('a version check writes nothing', async (store) => {
    await write(store, change(note));
    await commit(store, [change()], [noteCheck(exactVersion(1))]);
    expect((await resultOf(store.read(note)))?.version).toBe(1);
    expect(await readHistory(store, note)).toHaveLength(1);
    expect(await resultOf(store.changesSince({ limit: 10 }))).toHaveLength(2);
  });

  test('a failed version check writes nothing and is named in the conflict', async (store) => {
    await write(store, change(note), change(note));
    for (const expects of [noVersion, exactVersion(1), exactVersion(3)]) {
      const refused = await errorOf(
        store.commit({ changes: [change()], versionChecks: [noteCheck(expects)] }),
      );
      expect(refused).toEqual({ _tag: 'Conflict', ref: note, actual: 2 });
    }
    expect(await resultOf(store.read(change()))).toBeNull();
    expect(await resultOf(store.changesSince({ limit: 10 }))).toHaveLength(2);
  });

  test('a version check on a record that is absent fails', async (store) => {
    const refused = await errorOf(
      store.commit({ changes: [change()], versionChecks: [noteCheck(exactVersion(1))] }),
    );
    expect(refused).toEqual({ _tag: 'Conflict', ref: note, actual: null });
    expect(await resultOf(store.read(change()))).toBeNull();
  });

  test('the conflict names the first of several version checks that fail', async (store) => {
    await write(store, change(note));
    const otherCheck: VersionCheck = { type: 'Patient', id: 'other', expects: exactVersion(4) };
    const commits = [
      { failing: [noteCheck(exactVersion(1)), noteCheck(noVersion), otherCheck], ref: note, actual: 1 },
      { failing: [otherCheck, noteCheck(noVersion)], ref: { type: 'Patient', id: 'other' }, actual: null },
    ];
    for (const { failing, ref, actual } of commits) {
      const refused = await errorOf(store.commit({ changes: [change()], versionChecks: failing }));
      expect(refused).toEqual({ _tag: 'Conflict', ref, actual });
    }
  });

  test('a version check on a record that the commit changes is compared with the version before', async (store) => {
    expect(await commit(store, [change(note)], [noteCheck(noVersion)])).toEqual([1]);
    expect(await commit(store, [change(note)], [noteCheck(exactVersion(1))])).toEqual([2]);
    const refused = await errorOf(
      store.commit({ changes: [change(note)], versionChecks: [noteCheck(exactVersion(3))] }),
    );
    expect(refused).toEqual({ _tag: 'Conflict', ref: note, actual: 2 });
  });

  test('a commit can have only version checks', async (store) => {
    await write(store, change(note));
    expect(await commit(store, [], [noteCheck(exactVersion(1))])).toEqual([]);
    const refused = await errorOf(store.commit({ changes: [], versionChecks: [noteCheck(noVersion)] }));
    expect(refused).toEqual({ _tag: 'Conflict', ref: note, actual: 1 });
  });
};
