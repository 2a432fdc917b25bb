import {
  type ClinicalStore,
  type IndexEntry,
  type Position,
  serializeIndexEntry,
} from '@clinical-records/core/store';
import { expect } from 'vitest';
import {
  change,
  commit,
  date,
  errorOf,
  matchOf,
  reference,
  resultOf,
  token,
  unlike,
  versionOf,
  word,
  write,
} from '../builders.ts';
import type { TestTopic } from '../test-topic.ts';

const scanRecords = (store: ClinicalStore, position?: Position, limit = 1000) =>
  resultOf(store.scan({ position, limit }));

/** Index entries as sorted texts, because a store may return them in any order. */
export const sortedEntryTexts = (index: readonly IndexEntry[]): readonly string[] =>
  index.map(serializeIndexEntry).toSorted();

const index = [
  token('code', '1', 's'),
  token('code', '1'),
  token('status', '1', 's'),
  reference('encounter', 'Encounter', '1'),
  reference('encounter', 'Patient', '1'),
  word('name', '1'),
  word('name', '2'),
  word('family', '1'),
  date('date', 10, 20),
  date('date', 10, 30),
  date('authored', 10, 20),
];

export const scan: TestTopic = (test) => {
  test('a scan shows the current version of every record, with a resource or without, in the order of creation', async (store) => {
    const [b, a, none, goal] = [
      change({ id: 'b' }),
      change({ id: 'a', patientId: null, by: null }),
      change({ id: 'none', resource: null }),
      change({ type: 'Goal', id: 'a', at: 5 }),
    ];
    await write(store, b, a, none, { ...b, at: 1 }, goal, { ...b, at: 2 });
    const expected = [versionOf({ ...b, at: 2 }, 3), versionOf(a, 1), versionOf(none, 1), versionOf(goal, 1)];
    expect((await scanRecords(store)).map(({ position: _, index: __, ...record }) => record)).toEqual(
      expected,
    );
  });

  test('a scan shows the index entries of a record, without repeats', async (store) => {
    await write(store, change({ id: 'a', index: [...index, ...index] }), change({ id: 'b', index: [] }));
    const [a, b] = await scanRecords(store);
    expect(sortedEntryTexts(a?.index ?? [])).toEqual(sortedEntryTexts(index));
    expect(b?.index).toEqual([]);
  });

  test('a scan shows only the index entries of the current version, and none without a resource', async (store) => {
    await write(store, change({ index }), change({ index: index.slice(2, 4) }));
    expect(sortedEntryTexts((await scanRecords(store))[0]?.index ?? [])).toEqual(
      sortedEntryTexts(index.slice(2, 4)),
    );
    await write(store, change({ index, resource: null }));
    expect((await scanRecords(store))[0]?.index).toEqual([]);
  });

  test('a scan continues after any position, and returns at most the limit', async (store) => {
    await commit(
      store,
      ['a', 'b', 'c', 'd', 'e'].map((id) => change({ id, index: [token('code', id)] })),
    );
    const all = await scanRecords(store);
    for (const [index, { position }] of all.entries()) {
      expect(await scanRecords(store, position)).toEqual(all.slice(index + 1));
      expect(await scanRecords(store, position, 2)).toEqual(all.slice(index + 1, index + 3));
    }
    expect(await scanRecords(store, undefined, 2)).toEqual(all.slice(0, 2));
    expect(await scanRecords(store, undefined, 0)).toEqual([]);
  });

  test('each record has a position of its own, which never changes', async (store) => {
    const ids = ['c', 'a', 'b'];
    const positions = async () => (await scanRecords(store)).map(({ position }) => position);
    await write(store, ...ids.map((id) => change({ id })));
    const all = await positions();
    expect(new Set(all).size).toBe(3);
    expect(JSON.parse(JSON.stringify(all))).toEqual(all);
    expect(all.every((position) => typeof position === 'string' && position !== '')).toBe(true);
    await write(store, change({ id: 'a', resource: null }), change({ id: 'c' }), change({ id: 'd' }));
    expect((await positions()).slice(0, 3)).toEqual(all);
  });

  test('a scan cannot begin at a position that none of its records has', async (store, withStore) => {
    await write(store, change(), change({ id: 'b' }));
    const all = await scanRecords(store);
    await withStore(async (otherStore) => {
      await write(otherStore, ...['c', 'd', 'e', 'f'].map((id) => change({ id })));
      const elsewhere = (await scanRecords(otherStore)).at(-1)?.position;
      const positions = all.map(({ position }) => position);
      for (const position of unlike(positions, elsewhere))
        expect([position, await errorOf(store.scan({ position, limit: 9 }))]).toEqual([
          position,
          { _tag: 'UnknownPosition' },
        ]);
    });
    expect(await scanRecords(store)).toEqual(all);
  });

  test('a page of a scan ends with the record that reaches its bytes, and has at least one', async (store) => {
    const texts = (length: number) => ({ state: `"${'s'.repeat(length - 5)}"`, resource: '"r"' });
    await commit(
      store,
      [100, 200, 300].map((length) =>
        change({ id: `${length}`, ...texts(length), index: [token('code', `${length}`)] }),
      ),
    );
    const all = await scanRecords(store);
    const page = (bytes: number, position?: Position, limit = 1000) =>
      resultOf(store.scan({ position, limit, bytes }));
    expect(await page(1)).toEqual(all.slice(0, 1));
    expect(await page(300)).toEqual(all.slice(0, 2));
    expect(await page(301)).toEqual(all);
    expect(await page(301, undefined, 2)).toEqual(all.slice(0, 2));
    expect(await page(1, all[0]?.position)).toEqual(all.slice(1, 2));
  });

  test('a scan has the same order as a search', async (store) => {
    await write(store, change({ id: 'b' }), change({ id: 'a' }), change({ id: 'b' }));
    const { matches } = await resultOf(
      store.search({
        type: 'Immunization',
        conditions: [],
        start: { offset: 0 },
        count: 10,
        withTotal: true,
      }),
    );
    const records = await scanRecords(store);
    expect(records.map(matchOf)).toEqual(matches);
  });

  test('a scan of an empty store is empty', async (store) => {
    expect(await scanRecords(store)).toEqual([]);
  });
};
