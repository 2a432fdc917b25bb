import { exactVersion, noVersion, toStoredResource } from '@clinical-records/core/store';
import { expect } from 'vitest';
import {
  change,
  commit,
  date,
  errorOf,
  findIds,
  matchOf,
  query,
  readHistory,
  readVersions,
  resultOf,
  token,
  versionOf,
  write,
} from '../builders.ts';
import { withoutFeedPosition } from '../reads/feed.ts';
import type { TestTopic } from '../test-topic.ts';

const completed = { on: 'token', parameter: 'status', anyOf: [{ system: null, code: 'completed' }] } as const;
const index = [token('status', 'completed')];

export const atomicCommits: TestTopic = (test) => {
  test('a commit writes all of its changes, and returns their versions in the order of the changes', async (store) => {
    await write(store, change({ id: 'b' }), change({ id: 'b' }), change({ id: 'c' }));
    const changes = [change({ id: 'c' }), change({ id: 'a' }), change({ id: 'b' })];
    expect(await commit(store, changes)).toEqual([2, 1, 3]);
    for (const [index, version] of [2, 1, 3].entries()) {
      const written = changes[index] ?? change();
      expect(await resultOf(store.read(written))).toEqual(versionOf(written, version));
    }
  });

  for (const failing of ['first', 'last'] as const) {
    test(`a commit writes nothing if its ${failing} change is refused`, async (store) => {
      await write(store, change({ id: 'stale' }), change({ id: 'known' }));
      const feedBefore = await resultOf(store.changesSince({ limit: 10 }));
      const valid = [change({ id: 'new', index }), change({ id: 'known', index })];
      const stale = change({ id: 'stale', expects: noVersion, index });
      const changes = failing === 'first' ? [stale, ...valid] : [...valid, stale];
      const refused = await errorOf(store.commit({ changes, versionChecks: [] }));

      expect(refused).toEqual({ _tag: 'Conflict', ref: { type: 'Immunization', id: 'stale' }, actual: 1 });
      expect(await resultOf(store.read({ type: 'Immunization', id: 'new' }))).toBeNull();
      expect(await resultOf(store.read({ type: 'Immunization', id: 'known' }))).toEqual(
        versionOf(change({ id: 'known' }), 1),
      );
      expect(await readHistory(store, { type: 'Immunization', id: 'new' })).toEqual([]);
      expect(await readHistory(store, { type: 'Immunization', id: 'known' })).toHaveLength(1);
      expect(await findIds(store, completed)).toEqual([]);
      expect((await resultOf(store.search(query()))).total).toBe(2);
      expect(await resultOf(store.changesSince({ limit: 10 }))).toEqual(feedBefore);
    });
  }

  test('a commit that names a record twice among its changes is Unavailable, and writes nothing', async (store) => {
    await write(store, change({ id: 'known' }));
    for (const id of ['new', 'known']) {
      const refused = await errorOf(
        store.commit({ changes: [change({ id }), change({ id })], versionChecks: [] }),
      );
      expect(refused).toMatchObject({ _tag: 'Unavailable' });
    }
    expect(await resultOf(store.read({ type: 'Immunization', id: 'new' }))).toBeNull();
    expect(await resultOf(store.changesSince({ limit: 10 }))).toHaveLength(1);
  });

  test('records are different if their types and ids are equal only when they are joined', async (store) => {
    const changes = [change({ type: 'a', id: 'b/c' }), change({ type: 'a/b', id: 'c' })];
    expect(await commit(store, changes)).toEqual([1, 1]);
    for (const written of changes) expect(await resultOf(store.read(written))).toEqual(versionOf(written, 1));
  });

  test('a conflict names the first record with another version, of the changes and then of the version checks', async (store) => {
    await write(store, change({ id: 'a' }), change({ id: 'b' }));
    const lands = change({ id: 'c' });
    const stale = change({ id: 'b', expects: exactVersion(7) });
    const there = change({ id: 'a', expects: noVersion });
    const versionChecks = [{ type: 'Immunization', id: 'a', expects: noVersion }];
    for (const [changes, named] of [
      [[lands, stale, there], 'b'],
      [[lands, there, stale], 'a'],
      [[lands], 'a'],
    ] as const) {
      const refused = await errorOf(store.commit({ changes, versionChecks }));
      expect(refused).toEqual({ _tag: 'Conflict', ref: { type: 'Immunization', id: named }, actual: 1 });
    }
  });

  test('a commit can create a record after another commit that was refused', async (store) => {
    await errorOf(
      store.commit({
        changes: [change({ index }), change({ id: 'b', expects: exactVersion(1) })],
        versionChecks: [],
      }),
    );
    expect(await commit(store, [change({ index, expects: noVersion })])).toEqual([1]);
    expect(await findIds(store, completed)).toEqual(['a']);
  });

  test('once a commit returns, every function shows what was written', async (store) => {
    await write(store, change({ index: [token('status', 'active')] }));
    await commit(store, [change({ index, at: 7 })]);
    const latest = versionOf(change({ at: 7 }), 2);
    const page = await resultOf(store.search(query([completed])));
    expect(page).toEqual({ matches: [matchOf(latest)], hasMore: false, total: 1 });
    const [{ position = 0 } = {}, ...more] = await resultOf(store.scan({ limit: 10 }));
    expect(more).toEqual([]);
    expect(await resultOf(store.scan({ limit: 10 }))).toEqual([{ ...latest, position, index }]);
    expect(await resultOf(store.read(change()))).toEqual(latest);
    expect(await resultOf(store.readResource(change()))).toEqual(toStoredResource(latest));
    expect((await readVersions(store, change()))[0]).toEqual(latest);
    const feed = await resultOf(store.changesSince({ limit: 10 }));
    expect(feed.map(withoutFeedPosition)[1]).toEqual(latest);
  });

  test('an empty commit returns no versions', async (store) => {
    expect(await commit(store, [])).toEqual([]);
    expect(await resultOf(store.changesSince({ limit: 10 }))).toEqual([]);
  });

  test('written records do not change if parts of the commit are modified afterwards', async (store) => {
    const entry = { ...token('status', 'completed') };
    const entries = [entry, date('date', 10, 20)];
    const written = { ...change({ index: entries }) };
    const changes = [written];
    await commit(store, changes);
    Object.assign(entry, { code: 'other', system: 'other' });
    entries.splice(0);
    changes.pop();
    written.state = '{"state":"other"}';
    expect(await findIds(store, completed)).toEqual(['a']);
    expect(await resultOf(store.read(change()))).toEqual(versionOf(change(), 1));
    const [scanned] = await resultOf(store.scan({ limit: 10 }));
    expect(scanned?.index).toHaveLength(2);
    expect(scanned?.index).toContainEqual(token('status', 'completed'));
  });
};
