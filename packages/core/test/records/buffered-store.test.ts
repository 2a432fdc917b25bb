import * as E from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import { createBufferedStore } from '../../src/records/buffered-store.ts';
import type { ClinicalStore, RecordChange, StoredRecord } from '../../src/store/port.ts';
import { anyVersion, type ExpectedVersion, exactVersion, noVersion } from '../../src/store/versions.ts';
import { leftOf, rightOf } from '../results.ts';
import { storeThatIsAway, unavailable } from '../store-that-is-away.ts';

const stored = (id: string, version: number): StoredRecord => ({
  type: 'Goal',
  id,
  patientId: 'amy',
  version,
  at: 0,
  by: null,
  state: `"${id} ${version}"`,
  resource: null,
});

/** A store that has some records, and counts how often each was read. */
const storeWith = (...records: readonly StoredRecord[]) => {
  const reads: string[] = [];
  const store: ClinicalStore = {
    ...storeThatIsAway,
    read: async ({ id }) => {
      reads.push(id);
      return E.right(records.find((record) => record.id === id) ?? null);
    },
  };
  return { store, reads };
};

const ref = (id: string) => ({ type: 'Goal', id });

const change = (id: string, state: string, expects: ExpectedVersion): RecordChange => {
  const { version: _version, ...record } = stored(id, 0);
  return { ...record, state, index: [], expects };
};

const write = (draft: ReturnType<typeof createBufferedStore>, ...changes: readonly RecordChange[]) =>
  draft.store.commit({ changes, versionChecks: [] });

test('a buffered store reads its own writes, and commits nothing to the store by itself', async () => {
  const { store } = storeWith(stored('a', 3));
  const draft = createBufferedStore(store);
  expect(rightOf(await draft.store.read(ref('a')))?.version).toBe(3);
  const committed = await write(draft, change('a', '1', exactVersion(3)));
  expect(rightOf(committed)).toEqual([4]);
  expect(rightOf(await draft.store.read(ref('a')))).toMatchObject({ version: 4, state: '1' });
  expect(draft.toCommit()).toEqual({ changes: [change('a', '1', exactVersion(3))], versionChecks: [] });
});

test('a record that is written several times has one version in the commit, its last', async () => {
  const draft = createBufferedStore(storeWith().store);
  await write(draft, change('a', '1', noVersion));
  await write(draft, change('a', '2', exactVersion(1)));
  await write(draft, change('a', '3', anyVersion));
  expect(rightOf(await draft.store.read(ref('a')))).toMatchObject({ version: 3, state: '3' });
  expect(draft.toCommit()).toEqual({ changes: [change('a', '3', noVersion)], versionChecks: [] });
});

test('if two writes expect the same version in a buffered store, one succeeds, and the other leaves nothing', async () => {
  const draft = createBufferedStore(storeWith(stored('a', 1)).store);
  const writes = ['1', '2'].map((state) =>
    write(draft, change(`own-${state}`, state, noVersion), change('a', state, exactVersion(1))),
  );
  const [first, second] = await Promise.all(writes);
  expect(first?._tag).toBe('Right');
  expect(second && leftOf(second)).toEqual({ _tag: 'Conflict', ref: ref('a'), actual: 2 });
  const written = draft.toCommit().changes.map(({ id }) => id);
  expect(written.toSorted()).toEqual(['a', 'own-1']);
});

test('a version check is compared in the buffered store, and becomes one of its commit unless the record is written; a record that is only read does not', async () => {
  const draft = createBufferedStore(storeWith(stored('a', 1), stored('b', 2), stored('c', 3)).store);
  await draft.store.read(ref('c'));
  const relyOn = (id: string, expects: ExpectedVersion, on: string) =>
    draft.store.commit({ changes: [change(on, '1', noVersion)], versionChecks: [{ ...ref(id), expects }] });
  expect(leftOf(await relyOn('a', exactVersion(2), 'x'))).toMatchObject({ _tag: 'Conflict', actual: 1 });
  expect(rightOf(await relyOn('a', exactVersion(1), 'x'))).toEqual([1]);
  expect(rightOf(await relyOn('b', exactVersion(2), 'y'))).toEqual([1]);
  await write(draft, change('b', '3', exactVersion(2)));
  expect(draft.toCommit().versionChecks).toEqual([{ ...ref('a'), expects: exactVersion(1) }]);
});

test('a record is read from the store once, whoever reads it', async () => {
  const { store, reads } = storeWith(stored('a', 1));
  const draft = createBufferedStore(store);
  for (let time = 0; time < 3; time += 1) await draft.store.read(ref('a'));
  await write(draft, change('a', '1', anyVersion));
  expect(reads).toEqual(['a']);
});

test('records that are read at the same moment, even with the same id, are each read once', async () => {
  const { store, reads } = storeWith(stored('a', 1), stored('b', 1));
  const draft = createBufferedStore(store);
  const refs = [ref('a'), ref('b'), { type: 'CareTeam', id: 'a' }];
  const readAll = () => Promise.all(refs.map((one) => draft.store.read(one)));
  await readAll();
  await write(draft, change('a', '1', exactVersion(1)));
  const [goal, , careTeam] = (await readAll()).map(rightOf);
  expect([goal?.version, careTeam?.version]).toEqual([2, 1]);
  expect(reads).toEqual(['a', 'b', 'a']);
});

test('an error of the store is an error of the buffered store', async () => {
  const draft = createBufferedStore(storeThatIsAway);
  expect(leftOf(await draft.store.read(ref('a')))).toBe(unavailable);
  expect(leftOf(await write(draft, change('a', '1', anyVersion)))).toBe(unavailable);
  expect(draft.toCommit()).toEqual({ changes: [], versionChecks: [] });
});

test('a buffered store that is discarded reads its records again', async () => {
  const { store, reads } = storeWith(stored('a', 1));
  const draft = createBufferedStore(store);
  await write(draft, change('a', '1', exactVersion(1)));
  draft.discard();
  expect(draft.toCommit()).toEqual({ changes: [], versionChecks: [] });
  expect(rightOf(await draft.store.read(ref('a')))?.version).toBe(1);
  expect(reads).toEqual(['a', 'a']);
});

test('records that are read ahead are read once, together, and a failure is returned', async () => {
  const { store, reads } = storeWith(stored('a', 1), stored('b', 7));
  const draft = createBufferedStore(store);
  await draft.store.read(ref('b'));
  expect(await draft.readAhead([ref('a'), ref('b'), ref('none')])).toEqual(E.right(undefined));
  for (const id of ['a', 'b', 'none']) await draft.store.read(ref(id));
  expect(reads).toEqual(['b', 'a', 'none']);
  const away = createBufferedStore(storeThatIsAway);
  expect(leftOf(await away.readAhead([ref('a')]))).toEqual(unavailable);
});

test('a buffered store that continues after a commit remembers referenced records at their committed version', async () => {
  const { store, reads } = storeWith(stored('a', 1), stored('b', 7));
  const draft = createBufferedStore(store, (type) => type === 'Goal');
  await draft.store.read(ref('b'));
  await write(draft, change('a', '1', exactVersion(1)));
  await write(draft, change('a', '2', exactVersion(2)));
  await write(draft, change('new', '3', noVersion));
  await draft.store.read(ref('none'));
  draft.afterCommit();
  expect(draft.toCommit()).toEqual({ changes: [], versionChecks: [] });
  expect(draft.size()).toBe(0);
  const versionOf = async (id: string) => rightOf(await draft.store.read(ref(id)))?.version;
  expect([await versionOf('a'), await versionOf('b'), await versionOf('new')]).toEqual([2, 7, 1]);
  expect(reads).toEqual(['b', 'a', 'none']);
  // An absent record may have been created since.
  await versionOf('none');
  expect(reads.at(-1)).toBe('none');
  draft.discard();
  await versionOf('a');
  expect(reads.slice(4)).toEqual(['a']);
});

test('a buffered store counts each record once that it writes or checks', async () => {
  const draft = createBufferedStore(storeWith(stored('a', 1), stored('b', 2)).store);
  const versionChecks = [{ ...ref('b'), expects: exactVersion(2) }];
  await draft.store.commit({ changes: [change('a', '1', exactVersion(1))], versionChecks });
  await draft.store.commit({ changes: [change('a', '2', exactVersion(2))], versionChecks });
  await draft.store.read(ref('c'));
  expect(draft.size()).toBe(2);
});
