import * as TE from 'fp-ts/lib/TaskEither.js';
import { expect, test } from 'vitest';
import { createDraft } from '../../src/records/draft.ts';
import { Absent, Any, type ExpectedVersion, Version } from '../../src/store/expected-version.ts';
import type { Change, ClinicalStore, StoredRecord } from '../../src/store/port.ts';
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

/** A store that has some records, and tells how often each was read. */
const storeWith = (...records: readonly StoredRecord[]) => {
  const reads: string[] = [];
  const store: ClinicalStore = {
    ...storeThatIsAway,
    read: ({ id }) => {
      reads.push(id);
      return TE.right(records.find((record) => record.id === id) ?? null);
    },
  };
  return { store, reads };
};

const ref = (id: string) => ({ type: 'Goal', id });

const change = (id: string, state: string, expects: ExpectedVersion): Change => {
  const { version: _version, ...record } = stored(id, 0);
  return { ...record, state, index: [], expects };
};

const write = (draft: ReturnType<typeof createDraft>, ...changes: readonly Change[]) =>
  draft.store.commit({ changes, premises: [] })();

test('a draft reads what was written to it, and commits nothing to the store before it is asked', async () => {
  const { store } = storeWith(stored('a', 3));
  const draft = createDraft(store);
  expect(rightOf(await draft.store.read(ref('a'))())?.version).toBe(3);
  const committed = await write(draft, change('a', '1', Version(3)));
  expect(rightOf(committed)).toEqual([4]);
  expect(rightOf(await draft.store.read(ref('a'))())).toMatchObject({ version: 4, state: '1' });
  expect(draft.commit()).toEqual({ changes: [change('a', '1', Version(3))], premises: [] });
});

test('a record that is written several times has one version in the commit, its last', async () => {
  const draft = createDraft(storeWith().store);
  await write(draft, change('a', '1', Absent));
  await write(draft, change('a', '2', Version(1)));
  await write(draft, change('a', '3', Any));
  expect(rightOf(await draft.store.read(ref('a'))())).toMatchObject({ version: 3, state: '3' });
  expect(draft.commit()).toEqual({ changes: [change('a', '3', Absent)], premises: [] });
});

test('of writes that expect the same version of a draft one succeeds, and the other leaves nothing', async () => {
  const draft = createDraft(storeWith(stored('a', 1)).store);
  const writes = ['1', '2'].map((state) =>
    write(draft, change(`own-${state}`, state, Absent), change('a', state, Version(1))),
  );
  const [first, second] = await Promise.all(writes);
  expect(first?._tag).toBe('Right');
  expect(second && leftOf(second)).toEqual({ _tag: 'Conflict', ref: ref('a'), actual: 2 });
  const written = draft.commit().changes.map(({ id }) => id);
  expect(written.toSorted()).toEqual(['a', 'own-1']);
});

test('a premise is held to the draft, and is a premise of its commit unless the record is written; one that is merely read is none', async () => {
  const draft = createDraft(storeWith(stored('a', 1), stored('b', 2), stored('c', 3)).store);
  await draft.store.read(ref('c'))();
  const relyOn = (id: string, expects: ExpectedVersion, on: string) =>
    draft.store.commit({ changes: [change(on, '1', Absent)], premises: [{ ...ref(id), expects }] })();
  expect(leftOf(await relyOn('a', Version(2), 'x'))).toMatchObject({ _tag: 'Conflict', actual: 1 });
  expect(rightOf(await relyOn('a', Version(1), 'x'))).toEqual([1]);
  expect(rightOf(await relyOn('b', Version(2), 'y'))).toEqual([1]);
  await write(draft, change('b', '3', Version(2)));
  expect(draft.commit().premises).toEqual([{ ...ref('a'), expects: Version(1) }]);
});

test('a record is read from the store once, whoever asks for it', async () => {
  const { store, reads } = storeWith(stored('a', 1));
  const draft = createDraft(store);
  for (let time = 0; time < 3; time += 1) await draft.store.read(ref('a'))();
  await write(draft, change('a', '1', Any));
  expect(reads).toEqual(['a']);
});

test('records that are read at the same moment, also when some have the same id, are each read once', async () => {
  const { store, reads } = storeWith(stored('a', 1), stored('b', 1));
  const draft = createDraft(store);
  const refs = [ref('a'), ref('b'), { type: 'CareTeam', id: 'a' }];
  const readAll = () => Promise.all(refs.map((one) => draft.store.read(one)()));
  await readAll();
  await write(draft, change('a', '1', Version(1)));
  const [goal, , careTeam] = (await readAll()).map(rightOf);
  expect([goal?.version, careTeam?.version]).toEqual([2, 1]);
  expect(reads).toEqual(['a', 'b', 'a']);
});

test('what the store cannot answer, the draft cannot either', async () => {
  const draft = createDraft(storeThatIsAway);
  expect(leftOf(await draft.store.read(ref('a'))())).toBe(unavailable);
  expect(leftOf(await write(draft, change('a', '1', Any)))).toBe(unavailable);
  expect(draft.commit()).toEqual({ changes: [], premises: [] });
});

test('a draft that is cleared begins again: what it had read is read again', async () => {
  const { store, reads } = storeWith(stored('a', 1));
  const draft = createDraft(store);
  await write(draft, change('a', '1', Version(1)));
  draft.clear();
  expect(draft.commit()).toEqual({ changes: [], premises: [] });
  expect(rightOf(await draft.store.read(ref('a'))())?.version).toBe(1);
  expect(reads).toEqual(['a', 'a']);
});

test('a draft that goes on after a commit remembers what others refer to, at the version that was committed', async () => {
  const { store, reads } = storeWith(stored('a', 1), stored('b', 7));
  const draft = createDraft(store, (type) => type === 'Goal');
  await draft.store.read(ref('b'))();
  await write(draft, change('a', '1', Version(1)));
  await write(draft, change('a', '2', Version(2)));
  await write(draft, change('new', '3', Absent));
  await draft.store.read(ref('none'))();
  draft.next();
  expect(draft.commit()).toEqual({ changes: [], premises: [] });
  expect(draft.size()).toBe(0);
  const versionOf = async (id: string) => rightOf(await draft.store.read(ref(id))())?.version;
  expect([await versionOf('a'), await versionOf('b'), await versionOf('new')]).toEqual([2, 7, 1]);
  expect(reads).toEqual(['b', 'a', 'none']);
  // What was not there may have come since.
  await versionOf('none');
  expect(reads.at(-1)).toBe('none');
  draft.clear();
  await versionOf('a');
  expect(reads.slice(4)).toEqual(['a']);
});

test('a draft counts each record that it writes or relies on once', async () => {
  const draft = createDraft(storeWith(stored('a', 1), stored('b', 2)).store);
  const premises = [{ ...ref('b'), expects: Version(2) }];
  await draft.store.commit({ changes: [change('a', '1', Version(1))], premises })();
  await draft.store.commit({ changes: [change('a', '2', Version(2))], premises })();
  await draft.store.read(ref('c'))();
  expect(draft.size()).toBe(2);
});
