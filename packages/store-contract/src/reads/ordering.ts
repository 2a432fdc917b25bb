import type {
  ClinicalStore,
  IndexEntry,
  OrderedQuery,
  SearchCondition,
  SearchMatch,
  SearchPage,
  TimeOrder,
} from '@clinical-records/core/store';
import { isRight } from 'fp-ts/lib/Either.js';
import { expect } from 'vitest';
import { change, date, idsOf, matchOf, query, resultOf, token, versionOf, write } from '../builders.ts';
import type { TestTopic } from '../test-topic.ts';

const chart: SearchCondition = { on: 'patient', anyOf: ['patient-1'] };
const charts: SearchCondition = { on: 'patient', anyOf: ['patient-2', 'patient-1'] };
const active: SearchCondition = {
  on: 'token',
  parameter: 'status',
  anyOf: [{ system: '', code: 'active' }],
};
const notActive: SearchCondition = { on: 'not', condition: active };
const dated: SearchCondition = {
  on: 'date',
  parameter: 'date',
  anyOf: [{ prefix: 'ge', from: 20, until: 21 }],
};

const latestFirst: TimeOrder = { on: 'date', parameter: 'date', isDescending: true };
const earliestFirst: TimeOrder = { ...latestFirst, isDescending: false };
const newestFirst: TimeOrder = { on: 'at', isDescending: true };
const oldestFirst: TimeOrder = { on: 'at', isDescending: false };

const ordered = (
  order: TimeOrder,
  conditions: readonly SearchCondition[] = [chart],
  overrides: Partial<OrderedQuery> = {},
): OrderedQuery => ({ ...query(conditions), start: { offset: 0 }, order, ...overrides });

type Ordering = (query: OrderedQuery) => Promise<SearchPage>;

/**
 * The records of the tests, in the order of their creation. A time of null is none, `d` has several dates, and `e` is a long one. All are
 * in the first chart, but `w`.
 */
const records: readonly (readonly [id: string, index: readonly IndexEntry[], at: number])[] = [
  ['b', [date('date', 20, 21), token('status', 'active')], 7],
  ['n', [token('status', 'active')], 3],
  ['a', [date('date', 30, 31)], 5],
  ['w', [date('date', 25, 26), token('status', 'active')], 4],
  ['d', [date('date', 10, 11), date('date', 10, 12), date('date', 40, 41), token('status', 'active')], 7],
  ['c', [date('date', 20, 21), date('other', 99, 100)], 1],
  ['e', [date('date', 15, 100_000_000_000), token('status', 'active')], 2],
  ['m', [date('other', 1, 2)], 6],
];

const writeRecords = async (store: ClinicalStore): Promise<void> => {
  for (const [id, index, at] of records) {
    await write(
      store,
      change({ id, index, at, patientId: id === 'w' ? 'patient-2' : 'patient-1' }),
      change({ id, index: [date('date', 50, 51)], type: 'Goal' }),
    );
  }
};

const orders: readonly (readonly [
  name: string,
  order: TimeOrder,
  conditions: readonly SearchCondition[],
  ids: string,
])[] = [
  ['of a chart, the latest first', latestFirst, [chart], 'edabcnm'],
  ['of a chart, the earliest first', earliestFirst, [chart], 'debcanm'],
  ['of a chart, the newest version first', newestFirst, [chart], 'bdmanec'],
  ['of a chart, the oldest version first', oldestFirst, [chart], 'cenambd'],
  ['of charts, the latest first', latestFirst, [charts], 'edawbcnm'],
  ['of charts, the oldest version first', oldestFirst, [charts], 'cenwambd'],
  ['of a chart by a code, the latest first', latestFirst, [chart, active], 'edbn'],
  ['of a chart by a code, the earliest first', earliestFirst, [active, chart], 'debn'],
  ['of a chart by a code, the newest version first', newestFirst, [chart, active], 'bdne'],
  ['of a chart without a code, the latest first', latestFirst, [chart, notActive], 'acm'],
  ['of a chart by a date, the earliest first', earliestFirst, [chart, dated], 'debca'],
  ['of a chart by ids, the latest first', latestFirst, [{ on: 'id', anyOf: ['n', 'a', 'w'] }, chart], 'an'],
  ['by a date that no record has', { ...latestFirst, parameter: 'none' }, [chart], 'bnadcem'],
  ['of an empty chart', latestFirst, [{ on: 'patient', anyOf: ['nobody'] }], ''],
];

/** The time by which a record of the tests is ordered. */
const timeIn = (order: TimeOrder, match: SearchMatch): number | null => {
  if (order.on === 'at') return match.at;
  const [, index = []] = records.find(([id]) => id === match.id) ?? [];
  const times = index.flatMap((entry) =>
    entry.kind === 'date' && entry.parameter === order.parameter
      ? [order.isDescending ? entry.until : entry.from]
      : [],
  );
  return times.toSorted((a, b) => a - b).at(order.isDescending ? -1 : 0) ?? null;
};

/** The part of the contract for a store with `searchInOrder`. */
export const ordering: TestTopic = (test) => {
  const testOrder = (title: string, body: (store: ClinicalStore, search: Ordering) => Promise<void>) =>
    test(title, async (store) => {
      const searchInOrder = store.searchInOrder?.bind(store);
      if (searchInOrder === undefined) expect(store).not.toHaveProperty('searchInOrder');
      else await body(store, (query) => resultOf(searchInOrder(query)));
    });

  for (const [name, order, conditions, ids] of orders) {
    testOrder(
      `matches ${name}: those without a time come last, and ties as created`,
      async (store, search) => {
        await writeRecords(store);
        const page = await search(ordered(order, conditions));
        expect(idsOf(page.matches).join('')).toBe(ids);
        expect([page.total, page.hasMore]).toEqual([ids.length, false]);
      },
    );

    testOrder(`a page ${name} can be any range, and can begin after any match`, async (store, search) => {
      await writeRecords(store);
      const { matches } = await search(ordered(order, conditions));
      for (const withTotal of [true, false])
        for (const count of [0, 1, 3, 100])
          for (let from = 0; from <= matches.length + 1; from += 1) {
            const last = matches[from - 1];
            const starts: OrderedQuery['start'][] = [
              { offset: from },
              ...(last === undefined ? [] : [{ after: last.id, time: timeIn(order, last) }]),
            ];
            for (const start of starts) {
              expect(await search(ordered(order, conditions, { start, count, withTotal }))).toEqual({
                matches: matches.slice(from, from + count),
                hasMore: matches.length > from + count,
                total: withTotal ? matches.length : null,
              });
            }
          }
    });
  }

  testOrder('a match has its current version, and is ordered by that alone', async (store, search) => {
    await writeRecords(store);
    const latest = change({ id: 'c', index: [date('date', 60, 61)], at: 9, resource: '{"r":2}' });
    await write(store, latest, change({ id: 'e', index: [], at: 1 }), change({ id: 'a', resource: null }));
    const page = await search(ordered(latestFirst));
    expect(idsOf(page.matches).join('')).toBe('cdbnem');
    expect(page.matches[0]).toEqual(matchOf(versionOf(latest, 2)));
    expect(idsOf((await search(ordered(oldestFirst))).matches).join('')).toBe('enmbdc');
  });

  testOrder('a record that moves to another chart is ordered there', async (store, search) => {
    await writeRecords(store);
    await write(store, change({ id: 'a', index: [date('date', 30, 31)], patientId: 'patient-2' }));
    expect(idsOf((await search(ordered(latestFirst))).matches).join('')).toBe('edbcnm');
    const other: SearchCondition = { on: 'patient', anyOf: ['patient-2'] };
    expect(await search(ordered(latestFirst, [other]))).toMatchObject({
      matches: [{ id: 'a' }, { id: 'w' }],
      total: 2,
    });
  });

  testOrder(
    'pages with writes in between repeat no record, and skip none that keeps its time',
    async (store, search) => {
      await writeRecords(store);
      const moved = [date('date', 5, 6)];
      const seen: SearchMatch[] = [];
      const totals: (number | null)[] = [];
      let last: SearchMatch | undefined;
      for (let number = 0; number < 10 && (number === 0 || last !== undefined); number += 1) {
        const time = last && (number > 2 && last.id === 'b' ? 6 : timeIn(latestFirst, last));
        const start = last === undefined ? { offset: 0 } : { after: last.id, time: time ?? null };
        const { matches, total, hasMore } = await search(ordered(latestFirst, [chart], { start, count: 2 }));
        seen.push(...matches);
        totals.push(total);
        last = hasMore ? matches.at(-1) : undefined;
        // The last match of the first page is not one any more, and that of the second has another time.
        if (number === 0)
          await write(
            store,
            change({ id: 'd', resource: null }),
            change({ id: 'x', index: [date('date', 99, 100)] }),
          );
        if (number === 1) await write(store, change({ id: 'b', index: moved }));
      }
      expect(idsOf(seen).join('')).toBe('edabcbnm');
      expect(totals).toEqual([7, 7, 7, 7]);
    },
  );

  testOrder('nothing comes after a record that does not exist', async (store, search) => {
    await writeRecords(store);
    await write(store, change({ id: 'elsewhere', type: 'Goal' }));
    for (const after of ['none', 'elsewhere'])
      for (const time of [100, null]) {
        const page = await search(ordered(latestFirst, [chart], { start: { after, time } }));
        expect(page).toEqual({ matches: [], hasMore: false, total: 7 });
      }
  });

  testOrder('a page ends before the match that would exceed its bytes', async (store, search) => {
    for (const [id, index] of records) await write(store, change({ id, index, resource: '{"text":"ß€"}' }));
    for (const [maxBytes, ids] of [
      [0, 'e'],
      [31, 'e'],
      [32, 'ed'],
      [111, 'edawbc'],
      [128, 'edawbcnm'],
    ] as const) {
      const page = await search(ordered(latestFirst, [chart], { maxBytes }));
      expect([maxBytes, idsOf(page.matches).join('')]).toEqual([maxBytes, ids]);
      expect(page).toMatchObject({ hasMore: ids.length < 8, total: 8 });
    }
  });

  testOrder(
    'many matches are ordered, or are TooCostly for the steps that the search may take',
    async (store, search) => {
      const changes = Array.from({ length: 900 }, (_, index) =>
        change({ id: `${index}`, index: [date('date', (index * 7) % 900, ((index * 7) % 900) + 1)] }),
      );
      await resultOf(store.commit({ changes, versionChecks: [] }));
      const expected = Array.from({ length: 900 }, (_, index) => index).toSorted(
        (a, b) => ((b * 7) % 900) - ((a * 7) % 900),
      );
      const page = await search(ordered(latestFirst, [chart], { start: { offset: 850 } }));
      expect(idsOf(page.matches)).toEqual(expected.slice(850).map(String));
      for (const maxSteps of [1, 100, 100_000]) {
        const outcome = await store.searchInOrder?.(ordered(latestFirst, [chart], { maxSteps }));
        if (outcome !== undefined && isRight(outcome))
          expect(idsOf(outcome.right.matches)).toEqual(expected.slice(0, 100).map(String));
        else expect(outcome).toMatchObject({ left: { _tag: 'TooCostly' } });
      }
    },
  );
};
