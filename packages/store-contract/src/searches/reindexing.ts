import {
  anyVersion,
  type ClinicalStore,
  exactVersion,
  type IndexedParameters,
  type ReindexedRecord,
  type Reindexing,
  type SearchCondition,
} from '@clinical-records/core/store';
import { expect } from 'vitest';
import {
  change,
  commit,
  date,
  errorOf,
  findIds,
  query,
  readHistory,
  readVersions,
  reference,
  resultOf,
  token,
  word,
  write,
} from '../builders.ts';
import type { TestTopic } from '../test-topic.ts';

const indexOf = (name: string, from: number) => [
  token('code', name),
  reference('encounter', 'Encounter', name),
  word('name', name),
  date('date', from, from + 1),
];

/** Conditions on each kind of index entry of `indexOf`. */
const conditionsOn = (name: string, from: number): readonly SearchCondition[] => [
  { on: 'token', parameter: 'code', anyOf: [{ system: null, code: name }] },
  { on: 'reference', parameter: 'encounter', anyOf: [{ type: 'Encounter', id: name }] },
  { on: 'string', parameter: 'name', anyOf: [name] },
  { on: 'date', parameter: 'date', anyOf: [{ prefix: 'eq', from, until: from + 10 }] },
];

/** The ids that each of the conditions finds, without a patient and with one. */
const findByEach = (store: ClinicalStore, name: string, from: number) =>
  Promise.all(
    conditionsOn(name, from).flatMap((condition) => [
      findIds(store, condition),
      findIds(store, condition, { on: 'patient', anyOf: ['patient-1'] }),
    ]),
  );

const each = (ids: readonly string[]) => Array.from({ length: 8 }, () => ids);

const reindexed = (overrides: Partial<ReindexedRecord> = {}): ReindexedRecord => ({
  type: 'Immunization',
  id: 'a',
  expects: anyVersion,
  index: indexOf('new', 200),
  ...overrides,
});

const commitOf = (reindexing: Reindexing) => ({ changes: [], versionChecks: [], reindexing });

const reindex = (store: ClinicalStore, ...records: readonly ReindexedRecord[]) =>
  resultOf(store.commit(commitOf({ records })));

/** Everything of a store but its index entries. */
const versionsOf = async (store: ClinicalStore) => ({
  feed: await resultOf(store.changesSince({ limit: 100 })),
  end: await resultOf(store.feedEnd()),
  history: await readHistory(store, change()),
  versions: await readVersions(store, change()),
  records: (await resultOf(store.scan({ limit: 100 }))).map(({ index: _, ...record }) => record),
  page: await resultOf(store.search(query())),
});

export const reindexing: TestTopic = (test) => {
  test('a reindexed record is found by its new index entries, and no longer by those before', async (store) => {
    await write(
      store,
      change({ index: indexOf('old', 100) }),
      change({ id: 'b', index: indexOf('old', 100) }),
    );
    await reindex(store, reindexed());
    expect(await findByEach(store, 'old', 100)).toEqual(each(['b']));
    expect(await findByEach(store, 'new', 200)).toEqual(each(['a']));
  });

  test('a reindexed record is still found by the index entries that it keeps, and by repeated ones once', async (store) => {
    await write(store, change({ index: indexOf('old', 100) }));
    const oldIndex = indexOf('old', 100);
    await reindex(store, reindexed({ index: [...oldIndex, ...indexOf('new', 200), ...oldIndex] }));
    expect(await findByEach(store, 'old', 100)).toEqual(each(['a']));
    expect(await findByEach(store, 'new', 200)).toEqual(each(['a']));
    const [scanned] = await resultOf(store.scan({ limit: 1 }));
    expect(scanned?.index).toHaveLength(8);
  });

  test('reindexing changes neither versions nor the feed', async (store) => {
    await write(store, change({ index: indexOf('old', 100) }), change({ at: 5 }));
    const before = await versionsOf(store);
    expect(await reindex(store, reindexed())).toEqual([]);
    expect(await versionsOf(store)).toEqual(before);
    await write(store, change({ at: 6 }));
    expect(await readHistory(store, change())).toMatchObject([
      { version: 3 },
      { version: 2 },
      { version: 1 },
    ]);
  });

  test('a new version of a reindexed record is found by its own index entries only', async (store) => {
    await write(store, change({ index: indexOf('old', 100) }));
    await reindex(store, reindexed());
    await write(store, change({ index: indexOf('old', 100) }));
    expect(await findByEach(store, 'new', 200)).toEqual(each([]));
    expect(await findByEach(store, 'old', 100)).toEqual(each(['a']));
  });

  test('a record without a resource keeps no index entries', async (store) => {
    await write(store, change({ resource: null }));
    await reindex(store, reindexed());
    expect(await findByEach(store, 'new', 200)).toEqual(each([]));
    expect(await resultOf(store.scan({ limit: 1 }))).toMatchObject([{ index: [] }]);
  });

  test('reindexing a record with another version than expected is a conflict, and nothing is written', async (store) => {
    await write(store, change(), change({ id: 'b' }), change({ id: 'b' }));
    const records = [reindexed(), reindexed({ id: 'b', expects: exactVersion(1) })];
    expect(await errorOf(store.commit(commitOf({ records, parameters: { 'Goal.code': 'new' } })))).toEqual({
      _tag: 'Conflict',
      ref: { type: 'Immunization', id: 'b' },
      actual: 2,
    });
    expect(await findByEach(store, 'new', 200)).toEqual(each([]));
    expect(await resultOf(store.indexedParameters())).toEqual({});
  });

  test('a thousand records can be reindexed at once', async (store) => {
    const ids = Array.from({ length: 1000 }, (_, index) => `${index}`);
    await commit(
      store,
      ids.map((id) => change({ id })),
    );
    await reindex(store, ...ids.map((id) => reindexed({ id, expects: exactVersion(1) })));
    const { total } = await resultOf(store.search(query(conditionsOn('new', 200), { count: 1 })));
    expect(total).toBe(1000);
  });

  test('a parameter has the text of the last reindexing that named it, and none at first', async (store) => {
    const indexed = () => resultOf(store.indexedParameters());
    const give = (parameters: IndexedParameters) =>
      resultOf(store.commit(commitOf({ records: [], parameters })));
    expect(await indexed()).toEqual({});
    await give({ 'Goal.code': '{"kind":"token"}', 'Goal.date': 'a' });
    const first = await indexed();
    expect(first).toEqual({ 'Goal.code': '{"kind":"token"}', 'Goal.date': 'a' });
    await give({ 'Goal.date': '', 'Patient.name': 'it\'s "b"' });
    await give({ 'Goal.code': 'c' });
    const last = { 'Goal.code': 'c', 'Goal.date': '', 'Patient.name': 'it\'s "b"' };
    expect(await indexed()).toEqual(last);
    await give({});
    await write(store, change());
    expect(await indexed()).toEqual(last);
    expect(first).toEqual({ 'Goal.code': '{"kind":"token"}', 'Goal.date': 'a' });
  });

  test('records and parameters are changed together', async (store) => {
    await write(store, change());
    const reindexing = { records: [reindexed()], parameters: { 'Immunization.code': 'new' } };
    expect(await resultOf(store.commit(commitOf(reindexing)))).toEqual([]);
    expect(await findByEach(store, 'new', 200)).toEqual(each(['a']));
    expect(await resultOf(store.indexedParameters())).toEqual({ 'Immunization.code': 'new' });
  });

  test('a thousand parameters have texts', async (store) => {
    const names = Array.from({ length: 1000 }, (_, index) => `Goal.parameter-${index}`);
    const texts = Object.fromEntries(names.map((name) => [name, name.repeat(10)]));
    await resultOf(store.commit(commitOf({ records: [], parameters: texts })));
    expect(await resultOf(store.indexedParameters())).toEqual(texts);
  });
};
