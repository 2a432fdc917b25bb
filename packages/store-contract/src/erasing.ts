import { hash } from 'node:crypto';
import {
  type ClinicalStore,
  computeDigest,
  erasedState,
  exactVersion,
  type FeedEntry,
  type RecordChange,
  type SearchCondition,
} from '@clinical-records/core/store';
import { expect } from 'vitest';
import {
  change,
  commit,
  date,
  errorOf,
  findIds,
  readHistory,
  readVersions,
  reference,
  resultOf,
  token,
  word,
  write,
} from './builders.ts';
import type { TestTopic } from './test-topic.ts';

const index = [
  token('code', 'secret'),
  reference('encounter', 'Encounter', 'secret'),
  word('name', 'secret'),
  date('date', 1, 2),
];

/** Three versions of a record, of which two have another patient, and a record beside it. */
const fill = (store: ClinicalStore) =>
  write(
    store,
    change({ state: '{"secret":1}', resource: '{"secret":1}', index }),
    change({ id: 'other' }),
    change({ state: '{"secret":2}', resource: null, patientId: 'patient-2' }),
    change({ state: '{"secret":3}', resource: '{"secret":3}', patientId: 'patient-2', index }),
  );

const states = ['a', 'b', 'c'].map((digit) => erasedState(digit.repeat(64)));

const erasure = (overrides: Partial<RecordChange> = {}): RecordChange =>
  change({
    patientId: 'patient-2',
    state: '{"isErased":true}',
    resource: null,
    expects: exactVersion(3),
    priorStates: states,
    ...overrides,
  });

const everything = { limit: 100 };

const readAll = async (store: ClinicalStore) => ({
  read: await resultOf(store.read(change())),
  history: await readHistory(store, change()),
  versions: await readVersions(store, change()),
  feed: await resultOf(store.changesSince(everything)),
  records: await resultOf(store.scan(everything)),
});

const conditions: readonly SearchCondition[] = [
  { on: 'token', parameter: 'code', anyOf: [{ system: null, code: 'secret' }] },
  { on: 'reference', parameter: 'encounter', anyOf: [{ type: 'Encounter', id: 'secret' }] },
  { on: 'string', parameter: 'name', anyOf: ['secret'] },
  { on: 'date', parameter: 'date', anyOf: [{ prefix: 'eq', from: 0, until: 10 }] },
];

/** An entry of the feed without its content, which an erasure replaces. */
const withoutContent = ({ state: _state, resource: _resource, ...entry }: FeedEntry) => entry;

export const erasing: TestTopic = (test) => {
  test('after an erasure, no function returns the replaced texts', async (store) => {
    await fill(store);
    expect(await commit(store, [erasure()])).toEqual([4]);
    const { read, history, versions, feed } = await readAll(store);
    expect(JSON.stringify(await readAll(store))).not.toMatch(/secret/);
    expect(read).toMatchObject({ version: 4, state: '{"isErased":true}', resource: null });
    const expected = ['{"isErased":true}', ...states.toReversed()];
    expect(history.map(({ bytes }) => bytes)).toEqual(expected.map(() => null));
    expect(versions.map((version) => [version?.state, version?.resource])).toEqual(
      expected.map((state) => [state, null]),
    );
    const inFeed = feed.filter(({ id }) => id === 'a').map(({ state }) => state);
    expect(inFeed).toEqual(expected.toReversed());
  });

  test('an erased version keeps its number, patient, time, author, position and digest', async (store) => {
    await fill(store);
    const before = await resultOf(store.changesSince(everything));
    await commit(store, [erasure()]);
    const after = await resultOf(store.changesSince(everything));
    expect(after.slice(0, -1).map(withoutContent)).toEqual(before.map(withoutContent));
    expect(after.find(({ id }) => id === 'other')).toEqual(before.find(({ id }) => id === 'other'));
  });

  test('after an erasure, a search finds another record by the same index entries, and not the erased one', async (store) => {
    await fill(store);
    await commit(store, [erasure()]);
    for (const condition of conditions) expect(await findIds(store, condition)).toEqual([]);
    expect(await findIds(store)).toEqual(['other']);
    await write(store, change({ id: 'new', index }));
    for (const condition of conditions) expect(await findIds(store, condition)).toEqual(['new']);
    const records = await resultOf(store.scan(everything));
    expect(records.map(({ id, index: { length } }) => [id, length])).toEqual([
      ['a', 0],
      ['other', 0],
      ['new', index.length],
    ]);
  });

  test('an erasure that expects another version is a conflict, and erases nothing', async (store) => {
    await fill(store);
    const before = await readAll(store);
    const refused = store.commit({ changes: [erasure({ expects: exactVersion(2) })], versionChecks: [] });
    expect(await errorOf(refused)).toMatchObject({ _tag: 'Conflict', actual: 3 });
    expect(await readAll(store)).toEqual(before);
  });

  test('a commit can erase a thousand records, and write another one', async (store) => {
    const ids = Array.from({ length: 999 }, (_, index) => `r${index}`);
    await commit(
      store,
      ids.map((id) => change({ id, state: '{"secret":1}', index })),
    );
    await commit(store, [
      ...ids.map((id) => erasure({ id, expects: exactVersion(1), priorStates: states.slice(0, 1) })),
      change({ id: 'says-so' }),
    ]);
    const feed = await resultOf(store.changesSince({ limit: 2000 }));
    expect(feed).toHaveLength(1999);
    expect(feed.slice(0, 999).every(({ state }) => state === states[0])).toBe(true);
    expect(await findIds(store)).toEqual(['says-so']);
  });

  test('a version that is written as erased has the digest of its former content', async (store) => {
    const sha256 = (text: string) => hash('sha256', text);
    const erased = change({ state: erasedState('d'.repeat(64)), resource: null });
    await write(store, erased, change());
    const [first, second] = await resultOf(store.changesSince(everything));
    expect(first?.digest).toBe(sha256(` ${first?.position} ${'d'.repeat(64)}`));
    expect(second?.digest).toBe(computeDigest(sha256, first?.digest ?? '', second as FeedEntry));
  });
};
