import type { ClinicalStore, Match, SearchCondition } from '@clinical-records/core';
import { expect } from 'vitest';
import { answer, change, found, idsOf, query, token, write } from './builders.ts';
import type { Topic } from './topic.ts';

const ids = ['m', 'c', 'x', 'a', 'k', 'b', 'z'];
const index = [token('status', 'completed')];

const conditions: readonly [name: string, asked: readonly SearchCondition[]][] = [
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
];

/** The records in an order of creation that is neither that of ids nor that of dates. */
const fill = (store: ClinicalStore) =>
  write(
    store,
    ...ids.map((id, at) =>
      change({ id, index: [...index, { kind: 'date', parameter: 'date', from: 100 - at, until: 101 - at }] }),
    ),
  );

const atMost = 50;

/** Pages to the end by what the last match of each says, and does something between them. */
const follow = async (
  store: ClinicalStore,
  asked: readonly SearchCondition[],
  between: (page: number) => Promise<void>,
): Promise<readonly Match[]> => {
  const seen: Match[] = [];
  for (let page = 0; page < atMost; page += 1) {
    const last = seen.at(-1);
    const start = last === undefined ? { offset: 0 } : { after: last.position };
    const { matches } = await answer(store.search(query(asked, { start, count: 2 })));
    if (matches.length === 0) return seen;
    seen.push(...matches);
    await between(page);
  }
  throw new Error('The pages do not come to an end.');
};

export const paging: Topic = (test) => {
  for (const [name, asked] of conditions) {
    test(`a search ${name} answers in the order of creation, with positions that grow`, async (store) => {
      await fill(store);
      const { matches, total } = await answer(store.search(query(asked)));
      expect(idsOf(matches)).toEqual(ids);
      expect(total).toBe(ids.length);
      const positions = matches.map(({ position }) => position);
      expect(positions).toEqual([...new Set(positions)].toSorted((a, b) => a - b));
    });

    test(`a page ${name} is any stretch of that order, and its total all that match`, async (store) => {
      await fill(store);
      const all = (await answer(store.search(query(asked)))).matches;
      for (let offset = 0; offset <= ids.length + 1; offset += 1) {
        for (const count of [0, 1, 3, ids.length, 100]) {
          const page = await answer(store.search(query(asked, { start: { offset }, count })));
          expect(page).toEqual({ matches: all.slice(offset, offset + count), total: ids.length });
        }
      }
    });

    test(`a page ${name} can begin after any match, and its total is all that match`, async (store) => {
      await fill(store);
      const all = (await answer(store.search(query(asked)))).matches;
      for (const [at, { position }] of all.entries()) {
        for (const count of [0, 2, 100]) {
          const page = await answer(store.search(query(asked, { start: { after: position }, count })));
          expect(page).toEqual({ matches: all.slice(at + 1, at + 1 + count), total: ids.length });
        }
      }
    });

    test(`pages ${name} reached one after the other repeat and skip none`, async (store) => {
      await fill(store);
      expect(idsOf(await follow(store, asked, async () => {}))).toEqual(ids);
    });
  }

  test('a page beyond the end is empty, with the total', async (store) => {
    await fill(store);
    const { matches, total } = await answer(store.search(query([], { start: { offset: 50 } })));
    expect([matches, total]).toEqual([[], ids.length]);
  });

  test('a page of none has the total', async (store) => {
    await fill(store);
    expect(await answer(store.search(query([], { count: 0 })))).toEqual({ matches: [], total: ids.length });
  });

  test('a record keeps its place, whatever versions it goes through', async (store) => {
    await fill(store);
    const before = (await answer(store.search(query()))).matches;
    await write(store, change({ id: 'a', at: 5 }), change({ id: 'm', at: 6 }), change({ id: 'a', at: 7 }));
    const { matches } = await answer(store.search(query()));
    expect(matches.map(({ id, position }) => ({ id, position }))).toEqual(
      before.map(({ id, position }) => ({ id, position })),
    );
  });

  test('a match tells the id and the resource of its record as it stands, and no more', async (store) => {
    const latest = change({ at: 9, by: null, state: '{"v":2}', resource: '{"r":2}' });
    await write(store, change(), latest);
    const { matches } = await answer(store.search(query()));
    expect(matches).toEqual([{ ...found(latest), position: matches[0]?.position }]);
  });

  test('pages with writes in between repeat none and skip none that was there', async (store) => {
    await fill(store);
    const seen = await follow(store, [], async (page) => {
      if (page > 3) return;
      await write(store, change({ id: 'm' }), change({ id: `new-${page}` }), change({ id: 'z' }));
    });
    const seenIds = idsOf(seen);
    expect(seenIds.slice(0, ids.length)).toEqual(ids);
    expect(new Set(seenIds).size).toBe(seenIds.length);
  });

  test('a page goes on after a record that is no longer found', async (store) => {
    await fill(store);
    const { matches } = await answer(store.search(query([], { count: 3 })));
    const after = matches.at(-1)?.position ?? 0;
    await write(store, change({ id: 'x', resource: null }));
    const next = await answer(store.search(query([], { start: { after }, count: 2 })));
    expect([idsOf(next.matches), next.total]).toEqual([['a', 'k'], ids.length - 1]);
  });

  test('a page begins past the record at a position, whether that is a match or not', async (store) => {
    for (const id of ['a', 'b', 'c']) {
      await write(
        store,
        change({ id }),
        change({ id, type: 'Goal' }),
        change({ id: `${id}2`, resource: null }),
      );
    }
    const records = await answer(store.scan({ position: 0, limit: 100 }));
    for (const { position } of [{ position: 0 }, ...records]) {
      const rest = records.filter((one) => one.type === 'Immunization' && one.resource !== null);
      const { matches } = await answer(store.search(query([], { start: { after: position } })));
      expect(idsOf(matches)).toEqual(idsOf(rest.filter((one) => one.position > position)));
    }
  });
};
