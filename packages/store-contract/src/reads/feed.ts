import { hash } from 'node:crypto';
import {
  type ClinicalStore,
  computeDigest,
  exactVersion,
  type FeedEntry,
  noVersion,
  type Position,
} from '@clinical-records/core/store';
import { expect } from 'vitest';
import { change, commit, errorOf, resultOf, unlike, versionOf, write } from '../builders.ts';
import type { TestTopic } from '../test-topic.ts';

const readFeed = (store: ClinicalStore, position?: Position, limit = 1000) =>
  resultOf(store.changesSince({ position, limit }));

const unknown = { _tag: 'UnknownPosition' };

/** The version without the properties that it has only in the feed. */
export const withoutFeedPosition = ({ position: _, digest: __, ...version }: FeedEntry) => version;

const positions = (feed: readonly FeedEntry[]) => feed.map(({ position }) => position);

/** The digests that the versions of a feed must have. */
const digestsOf = (feed: readonly FeedEntry[]): readonly string[] => {
  let previous = '';
  return feed.map((entry) => {
    previous = computeDigest((text) => hash('sha256', text), previous, entry);
    return previous;
  });
};

/** A state and a resource that together have this length. */
const textsOfLength = (length: number) => ({ state: `"${'s'.repeat(length - 5)}"`, resource: '"r"' });

export const feed: TestTopic = (test) => {
  test('the feed shows every version of every record in the order of their commits', async (store) => {
    const versions = [
      change({ id: 'b', at: 5 }),
      change({ id: 'a', at: 3, by: null }),
      change({ id: 'b', at: 4, resource: null }),
      change({ type: 'Goal', id: 'a', patientId: null }),
    ];
    await write(store, ...versions);
    const expected = [1, 1, 2, 1].map((version, index) => versionOf(versions[index] ?? change(), version));
    expect((await readFeed(store)).map(withoutFeedPosition)).toEqual(expected);
  });

  test('each version has a position of its own, a text that never changes', async (store) => {
    const ids = ['c', 'a', 'b', 'a'];
    for (const id of ids) await commit(store, [change({ id }), change({ id: `${id}2` })]);
    const all = positions(await readFeed(store));
    expect(new Set(all).size).toBe(8);
    expect(JSON.parse(JSON.stringify(all))).toEqual(all);
    expect(all.every((position) => typeof position === 'string' && position !== '')).toBe(true);
    await write(store, ...ids.map((id) => change({ id, resource: null })));
    expect(positions(await readFeed(store)).slice(0, 8)).toEqual(all);
  });

  test('a feed cannot begin at a position that none of its versions has', async (store, withStore) => {
    await write(store, change(), change({ id: 'b' }));
    const all = await readFeed(store);
    await withStore(async (otherStore) => {
      await write(otherStore, ...['c', 'd', 'e', 'f'].map((id) => change({ id })));
      const elsewhere = positions(await readFeed(otherStore)).at(-1);
      for (const position of unlike(positions(all), elsewhere))
        expect([position, await errorOf(store.changesSince({ position, limit: 9 }))]).toEqual([
          position,
          unknown,
        ]);
    });
    expect(await readFeed(store)).toEqual(all);
  });

  test('a feed cannot begin at a version that has another digest', async (store, withStore) => {
    const since = (place: Pick<FeedEntry, 'position' | 'digest'> | undefined) =>
      store.changesSince({ ...place, limit: 9 });
    await write(store, change(), change({ id: 'b' }), change());
    const all = await readFeed(store);
    for (const [index, { position, digest }] of all.entries())
      expect(await resultOf(since({ position, digest }))).toEqual(all.slice(index + 1));
    await withStore(async (otherStore) => {
      await write(otherStore, change(), change({ id: 'c' }), change(), change());
      const [shared, ...foreign] = await readFeed(otherStore);
      expect(await resultOf(since(shared))).toEqual(all.slice(1));
      for (const place of foreign) expect(await errorOf(since(place))).toEqual(unknown);
    });
    const [{ position }, { digest }] = all as [FeedEntry, FeedEntry];
    expect(await errorOf(since({ position, digest }))).toEqual(unknown);
  });

  test('the changes of one commit are together, in their order', async (store) => {
    const together = ['c', 'a', 'b'].map((id) => change({ id }));
    await Promise.all([
      commit(store, together),
      commit(
        store,
        together.map((immunization) => ({ ...immunization, type: 'Goal' })),
      ),
    ]);
    const names = (await readFeed(store)).map(({ type, id }) => `${type}/${id}`);
    const immunizations = ['Immunization/c', 'Immunization/a', 'Immunization/b'];
    const goals = ['Goal/c', 'Goal/a', 'Goal/b'];
    expect([
      [...immunizations, ...goals],
      [...goals, ...immunizations],
    ]).toContainEqual(names);
  });

  test('the feed continues after any position, and returns at most the limit', async (store) => {
    for (const id of ['a', 'b', 'a', 'c', 'b']) await write(store, change({ id }));
    const all = await readFeed(store);
    for (const [index, { position }] of all.entries()) {
      expect(await readFeed(store, position)).toEqual(all.slice(index + 1));
      expect(await readFeed(store, position, 2)).toEqual(all.slice(index + 1, index + 3));
    }
    expect(await readFeed(store, undefined, 3)).toEqual(all.slice(0, 3));
    expect(await readFeed(store, undefined, 0)).toEqual([]);
  });

  test('each version has the digest of itself and of the one before it in the feed', async (store) => {
    await write(
      store,
      change({ by: null }),
      change({ id: 'b', patientId: null }),
      change({ resource: null }),
    );
    await commit(store, [change(), change({ id: 'é', state: '"\u0000🩺"' }), change({ id: 'b', at: -1 })]);
    await errorOf(store.commit({ changes: [change({ expects: noVersion })], versionChecks: [] }));
    await Promise.all(['c', 'b', 'd', 'a'].map((id) => commit(store, [change({ id })])));
    const all = await readFeed(store);
    expect(all).toHaveLength(10);
    expect(all.map(({ digest }) => digest)).toEqual(digestsOf(all));
    const last = await readFeed(store, all.at(-2)?.position);
    expect(last).toEqual(all.slice(-1));
  });

  test('a page of the feed ends with the version that reaches its bytes, and has at least one', async (store) => {
    const lengths = [100, 200, 300, 400, 10];
    await write(
      store,
      ...lengths.map((length, index) => change({ id: `${index % 3}`, ...textsOfLength(length) })),
    );
    const page = async (bytes: number, position?: Position, limit = 1000) =>
      (await resultOf(store.changesSince({ position, limit, bytes }))).map(({ state }) => state.length + 3);
    expect(await page(1)).toEqual([100]);
    expect(await page(0)).toEqual([100]);
    expect(await page(100)).toEqual([100]);
    expect(await page(101)).toEqual([100, 200]);
    expect(await page(1_000)).toEqual([100, 200, 300, 400]);
    expect(await page(10_000)).toEqual(lengths);
    expect(await page(10_000, undefined, 2)).toEqual([100, 200]);
    const second = (await readFeed(store))[1]?.position;
    expect(await page(301, second)).toEqual([300, 400]);
  });

  test('an entry that was returned never changes, and no entry appears before it later', async (store) => {
    await write(store, change(), change({ id: 'b' }));
    const before = await readFeed(store);
    await write(store, change({ resource: null }), change({ id: 'c' }), change({ id: 'b' }));
    expect((await readFeed(store)).slice(0, 2)).toEqual(before);
    expect(await readFeed(store)).toHaveLength(5);
  });

  test('a refused commit adds no entry to the feed and does not change its order', async (store) => {
    await write(store, change());
    await errorOf(
      store.commit({ changes: [change({ id: 'b' }), change({ expects: noVersion })], versionChecks: [] }),
    );
    await errorOf(store.commit({ changes: [change({ expects: exactVersion(2) })], versionChecks: [] }));
    await write(store, change({ id: 'c' }));
    expect((await readFeed(store)).map(({ id }) => id)).toEqual(['a', 'c']);
  });

  test('the end of the feed is the position and the digest of its last version', async (store) => {
    for (const id of ['a', 'b', 'a', 'c']) {
      await commit(store, [change({ id }), change({ id: 'd' })]);
      const { position, digest } = (await readFeed(store)).at(-1) as FeedEntry;
      expect(await resultOf(store.feedEnd())).toEqual({ position, digest });
    }
  });

  test('the feed of an empty store is empty, and has no end', async (store) => {
    expect(await readFeed(store)).toEqual([]);
    expect(await resultOf(store.feedEnd())).toBeNull();
  });
};
