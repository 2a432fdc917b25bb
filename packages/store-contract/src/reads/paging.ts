import type { ClinicalStore, IndexEntry, SearchCondition, SearchMatch } from '@clinical-records/core/store';
import { isRight } from 'fp-ts/lib/Either.js';
import { expect } from 'vitest';
import { change, date, idsOf, matchOf, query, resultOf, token, versionOf, write } from '../builders.ts';
import type { TestTopic } from '../test-topic.ts';

const ids = ['m', 'c', 'x', 'a', 'k', 'b', 'z'];
const index = [token('status', 'completed')];

const conditions: readonly [name: string, searched: readonly SearchCondition[]][] = [
  ['of all records', []],
  ['of a chart', [{ on: 'patient', anyOf: ['patient-1'] }]],
  ['of charts', [{ on: 'patient', anyOf: ['patient-2', 'patient-1'] }]],
  ['by ids', [{ on: 'id', anyOf: ids.toSorted() }]],
  ['by a token', [{ on: 'token', parameter: 'status', anyOf: [{ system: null, code: 'completed' }] }]],
  [
    'by tokens',
    [
      {
        on: 'token',
        parameter: 'status',
        anyOf: [
          { system: '', code: 'completed' },
          { system: null, code: null },
        ],
      },
    ],
  ],
  ['by a date', [{ on: 'date', parameter: 'date', anyOf: [{ prefix: 'lt', from: 1000, until: 1001 }] }]],
  ['by an entry', [{ on: 'entry', kind: 'token', parameter: 'status' }]],
  [
    'without a token',
    [
      {
        on: 'not',
        condition: { on: 'token', parameter: 'status', anyOf: [{ system: null, code: 'not-done' }] },
      },
    ],
  ],
];

const completed: SearchCondition = {
  on: 'token',
  parameter: 'status',
  anyOf: [{ system: null, code: 'completed' }],
};

const indexAt = (number: number): readonly IndexEntry[] => [
  ...index,
  date('date', 100 - number, 101 - number),
];

/** Writes records in an order that is neither that of their ids nor that of their dates. */
const writeRecords = (store: ClinicalStore) =>
  write(store, ...ids.map((id, index) => change({ id, index: indexAt(index) })));

const maxPages = 50;

/** Reads all pages, each after the last match of the page before, and runs `between` between them. */
const followPages = async (
  store: ClinicalStore,
  searched: readonly SearchCondition[],
  between: (page: number) => Promise<void>,
): Promise<readonly SearchMatch[]> => {
  const seen: SearchMatch[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    const last = seen.at(-1);
    const start = last === undefined ? { offset: 0 } : { after: last.id };
    const { matches, hasMore } = await resultOf(store.search(query(searched, { start, count: 2 })));
    seen.push(...matches);
    if (!hasMore) return seen;
    await between(page);
  }
  throw new Error('The pages do not end.');
};

export const paging: TestTopic = (test) => {
  for (const [name, searched] of conditions) {
    test(`a search ${name} returns records in the order of creation`, async (store) => {
      await writeRecords(store);
      const { matches, total } = await resultOf(store.search(query(searched)));
      expect(idsOf(matches)).toEqual(ids);
      expect(total).toBe(ids.length);
    });

    test(`a page ${name} can be any range of that order, and its total counts all matches`, async (store) => {
      await writeRecords(store);
      const all = (await resultOf(store.search(query(searched)))).matches;
      for (let offset = 0; offset <= ids.length + 1; offset += 1) {
        for (const count of [0, 1, 3, ids.length, 100]) {
          const page = await resultOf(store.search(query(searched, { start: { offset }, count })));
          const hasMore = offset + count < ids.length;
          expect(page).toEqual({ matches: all.slice(offset, offset + count), hasMore, total: ids.length });
        }
      }
    });

    test(`a page ${name} can begin after any match, and its total counts all matches`, async (store) => {
      await writeRecords(store);
      const all = (await resultOf(store.search(query(searched)))).matches;
      for (const [index, { id }] of all.entries()) {
        for (const count of [0, 2, 100]) {
          const page = await resultOf(store.search(query(searched, { start: { after: id }, count })));
          const rest = all.slice(index + 1);
          expect(page).toEqual({
            matches: rest.slice(0, count),
            hasMore: rest.length > count,
            total: ids.length,
          });
        }
      }
    });

    test(`pages ${name} that are read one after the other repeat no record and skip none`, async (store) => {
      await writeRecords(store);
      expect(idsOf(await followPages(store, searched, async () => {}))).toEqual(ids);
    });
  }

  test('a page beyond the end is empty, with the total', async (store) => {
    await writeRecords(store);
    const { matches, total } = await resultOf(store.search(query([], { start: { offset: 50 } })));
    expect([matches, total]).toEqual([[], ids.length]);
  });

  test('an empty page has the total', async (store) => {
    await writeRecords(store);
    const page = await resultOf(store.search(query([], { count: 0 })));
    expect(page).toEqual({ matches: [], hasMore: true, total: ids.length });
  });

  test('a record keeps its place in all of its versions', async (store) => {
    await writeRecords(store);
    const before = (await resultOf(store.search(query()))).matches;
    await write(store, change({ id: 'a', at: 5 }), change({ id: 'm', at: 6 }), change({ id: 'a', at: 7 }));
    const { matches } = await resultOf(store.search(query()));
    expect(idsOf(matches)).toEqual(idsOf(before));
  });

  test('a match has the id, the current version, its time and its resource, and no more', async (store) => {
    const latest = change({ at: 9, by: null, state: '{"v":2}', resource: '{"r":2}' });
    await write(store, change(), latest);
    const { matches } = await resultOf(store.search(query()));
    expect(matches).toEqual([matchOf(versionOf(latest, 2))]);
  });

  test('pages with writes in between repeat no record and skip no record that existed', async (store) => {
    await writeRecords(store);
    const seen = await followPages(store, [], async (page) => {
      if (page > 3) return;
      await write(store, change({ id: 'm' }), change({ id: `new-${page}` }), change({ id: 'z' }));
    });
    const seenIds = idsOf(seen);
    expect(seenIds.slice(0, ids.length)).toEqual(ids);
    expect(new Set(seenIds).size).toBe(seenIds.length);
  });

  test('a page can begin after a record that is no longer found', async (store) => {
    await writeRecords(store);
    const { matches } = await resultOf(store.search(query([], { count: 3 })));
    const after = matches.at(-1)?.id ?? '';
    await write(store, change({ id: 'x', resource: null }));
    const next = await resultOf(store.search(query([], { start: { after }, count: 2 })));
    expect([idsOf(next.matches), next.total]).toEqual([['a', 'k'], ids.length - 1]);
  });

  test('a page begins after the record with an id, whether that record matches or not', async (store) => {
    for (const id of ['a', 'b', 'c']) {
      await write(
        store,
        change({ id: `${id}-other`, type: 'Goal' }),
        change({ id }),
        change({ id, type: 'Goal' }),
        change({ id: `${id}-hidden`, resource: null }),
        change({ id: `${id}-found`, index }),
      );
    }
    const records = await resultOf(store.scan({ limit: 100 }));
    for (const conditions of [[], [completed]]) {
      const all = idsOf((await resultOf(store.search(query(conditions)))).matches);
      const ofType = records.filter(({ type }) => type === 'Immunization');
      for (const [index, { id }] of ofType.entries()) {
        const { matches } = await resultOf(store.search(query(conditions, { start: { after: id } })));
        const behind = idsOf(ofType.slice(index + 1));
        expect(idsOf(matches)).toEqual(behind.filter((id) => all.includes(id)));
      }
    }
  });

  test('nothing comes after a record that does not exist, and the total counts all matches', async (store) => {
    await writeRecords(store);
    await write(store, change({ id: 'elsewhere', type: 'Goal' }));
    for (const after of ['none', 'elsewhere']) {
      const page = await resultOf(store.search(query([completed], { start: { after } })));
      expect(page).toEqual({ matches: [], hasMore: false, total: ids.length });
    }
  });

  test('a total that is not requested is null, and the page is the same', async (store) => {
    await writeRecords(store);
    for (const [, searched] of conditions) {
      for (const start of [{ offset: 2 }, { after: 'c' }]) {
        const page = await resultOf(store.search(query(searched, { start, count: 3 })));
        const withoutTotal = await resultOf(
          store.search(query(searched, { start, count: 3, withTotal: false })),
        );
        expect(withoutTotal).toEqual({ ...page, total: null });
      }
    }
  });

  for (const [name, searched] of conditions) {
    test(`a page ${name} ends before the match that would exceed its bytes, and reports that more follow`, async (store) => {
      // Each resource has 16 bytes in UTF-8. The first has 13 code units in UTF-16, and the second grows within another JSON text.
      for (const resource of ['{"text":"ß€"}', JSON.stringify('\\'.repeat(7))]) {
        await write(store, ...ids.map((id, index) => change({ id, index: indexAt(index), resource })));
        for (const [maxBytes, matches] of [
          [0, 1],
          [15, 1],
          [31, 1],
          [32, 2],
          [47, 2],
          [111, 6],
          [112, 7],
        ] as const) {
          const page = await resultOf(store.search(query(searched, { maxBytes })));
          expect([maxBytes, idsOf(page.matches)]).toEqual([maxBytes, ids.slice(0, matches)]);
          expect(page).toMatchObject({ hasMore: matches < ids.length, total: ids.length });
        }
        const after = await resultOf(store.search(query(searched, { start: { after: 'x' }, maxBytes: 40 })));
        expect([idsOf(after.matches), after.hasMore]).toEqual([['a', 'k'], true]);
      }
    });
  }

  test('a search that needs more steps than it may take is TooCostly, or returns everything', async (store) => {
    const changes = Array.from({ length: 600 }, (_, index) =>
      change({ id: `${index}`, patientId: index === 0 ? 'patient-2' : 'patient-1', index: indexAt(index) }),
    );
    await resultOf(store.commit({ changes, versionChecks: [] }));
    for (const [, searched] of conditions.slice(1)) {
      for (const maxSteps of [1, 100, 10_000]) {
        const outcome = await store.search(query(searched, { maxSteps, count: 2 }));
        if (isRight(outcome))
          expect(outcome.right).toEqual(await resultOf(store.search(query(searched, { count: 2 }))));
        else expect(outcome.left).toEqual({ _tag: 'TooCostly' });
      }
    }
  });

  test('a search for one record, or in the small chart of one patient, takes fewer than a hundred steps', async (store) => {
    const changes = Array.from({ length: 600 }, (_, index) =>
      change({
        id: `${index}`,
        patientId: index % 300 === 0 ? 'patient-2' : 'patient-1',
        index: indexAt(index),
      }),
    );
    await resultOf(store.commit({ changes, versionChecks: [] }));
    for (const condition of [
      { on: 'id', anyOf: ['300'] },
      { on: 'patient', anyOf: ['patient-2'] },
    ] satisfies readonly SearchCondition[]) {
      const page = await resultOf(store.search(query([condition, completed], { maxSteps: 100 })));
      expect(idsOf(page.matches).at(-1)).toBe('300');
    }
  });
};
