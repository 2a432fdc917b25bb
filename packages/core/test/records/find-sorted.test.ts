import * as E from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import { createSortedFind, type Find } from '../../src/records/find.ts';
import { refusal, rightOf } from '../results.ts';

const query = { type: 'Goal', conditions: [], count: 2, withTotal: true };
const valuesOf = ({ at }: { readonly at: number }) => [at];
const byTime = [{ name: '_lastUpdated', isDescending: false }];

/** Finds these records on one page. At each search, something is done before. */
const findIn =
  (
    records: Readonly<Record<string, number>>,
    before: (ids: readonly string[] | null) => void = () => {},
  ): Find =>
  async ({ conditions }) => {
    const condition = conditions.find(({ on }) => on === 'id');
    const ids = condition?.on === 'id' ? condition.anyOf : null;
    before(ids);
    const matches = Object.entries(records)
      .filter(([id]) => ids?.includes(id) ?? true)
      .map(([id, at]) => ({ id, at, version: 1, resource: '{}' }));
    return E.right({ matches, total: matches.length, end: null });
  };

const idsOf = async (find: Find) => {
  const { matches, ...page } = rightOf(await createSortedFind(find, byTime, valuesOf)(query, { offset: 0 }));
  return { ids: matches.map(({ id }) => id), ...page };
};

test('a page has the first of the sorted matches, and its end has the value of the last one', async () => {
  const page = await idsOf(findIn({ a: 3, b: 1, c: 2 }));
  expect(page).toEqual({
    ids: ['b', 'c'],
    total: 3,
    end: { after: 'c', sorted: { by: '_lastUpdated', values: [2] } },
  });
});

test('a match that moves while it is sorted is sorted again', async () => {
  const records = { a: 3, b: 1, c: 2 };
  const page = await idsOf(
    findIn(records, (ids) => {
      if (ids !== null) records.b = 4;
    }),
  );
  expect(page).toEqual({
    ids: ['c', 'a'],
    total: 3,
    end: { after: 'a', sorted: { by: '_lastUpdated', values: [3] } },
  });
});

test('a match that keeps moving ends the search after some attempts', async () => {
  const records = { a: 3, b: 1, c: 2 };
  const find = findIn(records, (ids) => {
    if (ids !== null) records.b += 1;
  });
  const found = await createSortedFind(find, byTime, valuesOf)({ ...query, count: 3 }, { offset: 0 });
  expect(refusal(found)).toEqual(['StoreFailure', 'too-contended']);
});

test('a match that is found again and again, and never by its id, shows that the store is damaged', async () => {
  const complete = findIn({ a: 3, b: 1, c: 2 });
  const withoutB = findIn({ a: 3, c: 2 });
  let searches = 0;
  const find: Find = (asked, origin) => {
    searches += 1;
    return (asked.conditions.length === 0 ? complete : withoutB)(asked, origin);
  };
  const found = await createSortedFind(find, byTime, valuesOf)(query, { offset: 0 });
  expect([refusal(found), searches]).toEqual([['StoreFailure', 'damaged-store'], 4]);
});

test('more than 10,000 matches are too many to sort', async () => {
  const search = (total: number) =>
    createSortedFind(
      async () => E.right({ matches: [], total, end: null }),
      byTime,
      valuesOf,
    )(query, {
      offset: 0,
    });
  expect(rightOf(await search(10_000)).matches).toEqual([]);
  expect(refusal(await search(10_001))).toEqual(['TooCostly', 'too-costly']);
});
