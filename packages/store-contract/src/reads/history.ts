import type { StoredRecord, StoredVersion } from '@clinical-records/core/store';
import { expect } from 'vitest';
import { change, readHistory, readVersions, refOf, resultOf, versionOf, write } from '../builders.ts';
import type { TestTopic } from '../test-topic.ts';

/** Four versions, newest last. The times are not in their order. */
const changes = [
  change({ at: 10, by: 'Practitioner/1', state: '{"v":1}', resource: null }),
  change({ at: 20, by: null, state: '{"v":2}', resource: '{"r":2}' }),
  change({ at: 15, by: 'Practitioner/2', state: '{"v":3}', resource: '{"r":3}', patientId: null }),
  change({ at: 30, by: 'Practitioner/1', state: '{"v":4}', resource: '{"r":4}', patientId: 'patient-2' }),
];

/** The same as they are stored, newest first. */
const versions = changes.map((written, index) => versionOf(written, index + 1)).toReversed();

/** A version without the bytes, of which a store may count more than there are. */
const withoutBytes = ({ bytes, ...version }: StoredVersion) => ({ ...version, hasResource: bytes !== null });

const inHistory = ({ patientId, version, at, by, resource }: StoredRecord) => ({
  patientId,
  version,
  at,
  by,
  hasResource: resource !== null,
});

const numbersOf = (history: readonly StoredVersion[]) => history.map(({ version }) => version);

const ref = refOf(change());

export const history: TestTopic = (test) => {
  test('the history shows every version, newest first, with its patient, author and time, and no text', async (store) => {
    await write(store, ...changes);
    expect((await readHistory(store, ref)).map(withoutBytes)).toEqual(versions.map(inHistory));
  });

  test('the history of a record that does not exist is empty', async (store) => {
    await write(store, change({ id: 'b' }), change({ type: 'Goal' }));
    expect(await readHistory(store, ref)).toEqual([]);
  });

  test('the history has the versions of only one record', async (store) => {
    await write(
      store,
      change({ id: 'b' }),
      change(),
      change({ type: 'Goal' }),
      change({ id: 'b' }),
      change(),
    );
    expect(await readVersions(store, change())).toEqual([versionOf(change(), 2), versionOf(change(), 1)]);
  });

  test('the history is the same each time it is read', async (store) => {
    await write(store, change({ at: 1 }), change({ at: 2 }), change({ at: 3 }));
    const read = () => readHistory(store, change());
    expect(await read()).toEqual(await read());
    expect((await resultOf(store.read(change())))?.version).toBe(3);
  });

  test('a part of a history has at most the limit, and begins below a version or with the current one', async (store) => {
    await write(store, ...changes, change({ patientId: 'patient-2' }), change());
    const all = await readHistory(store, ref);
    for (const limit of [0, 1, 2, 3, 6, 100]) {
      expect(await resultOf(store.history({ ...ref, limit }))).toEqual(all.slice(0, limit));
      for (const before of [1, 2, 3, 4, 5, 6, 7, 8, 1_000_000]) {
        const part = await resultOf(store.history({ ...ref, before, limit }));
        expect(part).toEqual(all.filter(({ version }) => version < before).slice(0, limit));
      }
    }
    expect(numbersOf(all)).toEqual([6, 5, 4, 3, 2, 1]);
  });

  test('a history says how many bytes a resource has, or up to twice as many, and null if there is none', async (store) => {
    const texts = ['{"text":"ß€😀"}', `"${'s'.repeat(20_000)}"`, '""', JSON.stringify('\\'.repeat(16))];
    for (const resource of texts) await write(store, change({ resource, state: '{}' }));
    await write(store, change({ resource: null, state: texts[1] ?? '' }));
    const [without, ...others] = await readHistory(store, ref);
    expect(without?.bytes).toBeNull();
    for (const [index, resource] of texts.toReversed().entries()) {
      const length = new TextEncoder().encode(resource).length;
      const { bytes = null } = others[index] ?? {};
      expect({ length, isTrue: bytes !== null && bytes >= length && bytes <= 2 * length }).toEqual({
        length,
        isTrue: true,
      });
    }
  });

  test('each version of a record can be read by its number, the current one and all before', async (store) => {
    await write(store, ...changes, change({ id: 'b' }), change({ type: 'Goal', state: '{"goal":1}' }));
    for (const version of versions) expect(await resultOf(store.readVersion(version))).toEqual(version);
    const goal = change({ type: 'Goal', state: '{"goal":1}' });
    expect(await resultOf(store.readVersion(versionOf(goal, 1)))).toEqual(versionOf(goal, 1));
  });

  test('versions that are read at the same moment are each the one that was asked for', async (store) => {
    await write(store, ...changes, change({ id: 'b' }));
    const asked = [versions[2], versionOf(change({ id: 'b' }), 1), versions[0], versions[1]];
    const read = await Promise.all(
      asked.map((version) => resultOf(store.readVersion(version as StoredRecord))),
    );
    expect(read).toEqual(asked);
  });

  test('a version that a record does not have is read as null', async (store) => {
    await write(store, ...changes, change({ id: 'b' }));
    for (const version of [0, 5, 6, 1_000_000]) {
      expect(await resultOf(store.readVersion({ ...ref, version }))).toBeNull();
    }
    expect(await resultOf(store.readVersion({ ...ref, id: 'b', version: 2 }))).toBeNull();
    expect(await resultOf(store.readVersion({ ...ref, id: 'none', version: 1 }))).toBeNull();
    expect(await resultOf(store.readVersion({ ...ref, type: 'Goal', version: 1 }))).toBeNull();
  });
};
