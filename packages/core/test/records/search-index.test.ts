import * as E from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import { createIndexState, withSearchIndex } from '../../src/records/search-index.ts';
import type { ClinicalStore, StoreOutcome } from '../../src/store/port.ts';
import { storeThatIsAway, unavailable } from '../store-that-is-away.ts';

const state = () =>
  createIndexState([{ type: 'Order', parameters: { code: { kind: 'token', at: 'code' } } }]);

const code = (parameter: string) => ({
  type: 'Order',
  conditions: [{ on: 'token', parameter, anyOf: [] } as const],
  start: { offset: 0 },
  count: 1,
  withTotal: false,
});

const page = { matches: [{ id: 'a', version: 1, at: 0, resource: '{}' }], hasMore: false, total: null };

const filled: ClinicalStore = {
  ...storeThatIsAway,
  indexedParameters: async () => E.right({}),
  search: async () => E.right(page),
};

const tagOf = async (outcome: StoreOutcome<unknown>) =>
  E.fold(
    ({ _tag }: { readonly _tag: string }) => _tag,
    () => 'found',
  )(await outcome);

test('a search by a parameter by which no table indexes is refused, and one by nothing is not', async () => {
  const store = withSearchIndex(filled, state());
  expect(await tagOf(store.search(code('misspelt')))).toBe('OutdatedIndex');
  expect(await tagOf(store.search(code('code')))).toBe('OutdatedIndex');
  expect(await tagOf(store.search({ ...code('code'), conditions: [] }))).toBe('found');
});

test('a store that cannot be asked refuses a search and a write with its own error, and is asked again', async () => {
  let isAway = true;
  const digests = state().digests;
  const store = withSearchIndex(
    {
      ...filled,
      indexedParameters: async () => (isAway ? E.left(unavailable) : E.right(digests)),
      commit: async () => E.right([]),
    },
    state(),
  );
  const write = () => store.commit({ changes: [], versionChecks: [] });
  expect([await tagOf(store.search(code('code'))), await tagOf(write())]).toEqual([
    'Unavailable',
    'Unavailable',
  ]);
  isAway = false;
  expect([await tagOf(store.search(code('code'))), await tagOf(write())]).toEqual(['found', 'found']);
});
