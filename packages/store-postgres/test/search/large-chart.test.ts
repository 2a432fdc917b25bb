import {
  type ClinicalStore,
  type IndexEntry,
  matches,
  orderMatches,
  type PositiveCondition,
  type RecordChange,
  type SearchCondition,
  type TimeOrder,
  timeOf,
} from '@clinical-records/core/store';
import { afterAll, describe, expect, test } from 'vitest';
import { openPostgresStore, type PostgresQuery } from '../../src/index.ts';
import { wrapPool } from '../host/wrap-pool.ts';
import { change, resultOf, write } from '../store-helpers.ts';
import { newPool } from '../tenants/databases.ts';
import { explain, rowsOf } from './explain.ts';

const token = (parameter: string, code: string, system = 's'): IndexEntry => ({
  kind: 'token',
  parameter,
  system,
  code,
});
const date = (parameter: string, from: number, until = from + 1): IndexEntry => ({
  kind: 'date',
  parameter,
  from,
  until,
});

/** Pseudorandom numbers below 1, the same in each run. */
const fractionOf = (n: number): number => ((n * 7919) % 1009) / 1009;

/** Records of a chart of 320 and one of 160, between 8,500 of others that nearly all have the code of `frequent`. */
const records: readonly RecordChange[] = Array.from({ length: 9000 }, (_, n) => {
  const isOfLarge = n % 56 < 3;
  return change({
    id: `r${n}`,
    patientId: isOfLarge ? (n % 56 < 2 ? 'large-1' : 'large-0') : `other-${n % 400}`,
    at: 1000 + Math.floor(fractionOf(n) * 90),
    // Rows of real records, of which few are on a page.
    resource: JSON.stringify('n'.repeat(1500)),
    index: [
      token('status', n % 9 === 0 ? 'active' : 'completed'),
      token('kind', isOfLarge && n % 4 > 0 ? 'rare' : 'frequent'),
      ...(n % 50 === 0 ? [token('kind', 'double')] : []),
      ...(n % 11 === 0 ? [] : [date('due', Math.floor(fractionOf(n + 3) * 200))]),
      ...(n % 6 === 0 ? [date('due', 500, 900), date('start', n)] : []),
    ],
  });
});

const isCode = (parameter: string, ...codes: readonly string[]): PositiveCondition => ({
  on: 'token',
  parameter,
  anyOf: codes.map((code) => ({ system: 's', code })),
});
const not = (condition: PositiveCondition): SearchCondition => ({ on: 'not', condition });
const active = isCode('status', 'active');
const late: PositiveCondition = {
  on: 'date',
  parameter: 'due',
  anyOf: [{ prefix: 'ge', from: 100, until: 101 }],
};
const lately: PositiveCondition = { on: 'at', anyOf: [{ prefix: 'ge', from: 1040, until: 1041 }] };
const large: SearchCondition = { on: 'patient', anyOf: ['large-1'] };
const both: SearchCondition = { on: 'patient', anyOf: ['large-1', 'large-0', 'none'] };
const small: SearchCondition = { on: 'patient', anyOf: ['other-7'] };

/** Conditions, and whether their lists are short enough for a large chart. */
const conditions: readonly (readonly [name: string, all: readonly SearchCondition[], isListed: boolean])[] = [
  ['no condition', [], true],
  ['a code', [active], true],
  [
    'a code without its system',
    [{ on: 'token', parameter: 'status', anyOf: [{ system: null, code: 'active' }] }],
    true,
  ],
  ['two codes, of which a record may have both', [isCode('kind', 'rare', 'double')], true],
  ['two conditions on codes', [active, isCode('kind', 'rare')], true],
  ['a code that is excluded', [isCode('kind', 'rare'), not(active)], true],
  ['only a code that is excluded', [not(active)], true],
  ['a date', [late], true],
  ['a date that is excluded, and a code', [not(late), active], true],
  ['the time of the change', [lately], true],
  ['the time of the change, a code and a date', [lately, active, late], true],
  ['a code that nothing has', [isCode('kind', 'none')], true],
  ['a code of nearly all other charts', [isCode('kind', 'frequent')], false],
  ['such a code that is excluded', [active, not(isCode('kind', 'frequent'))], false],
  [
    'a system',
    [{ on: 'token', parameter: 'kind', anyOf: [{ system: 's', code: null }] } as const, active],
    false,
  ],
  ['that a date is missing', [not({ on: 'entry', kind: 'date', parameter: 'start' })], true],
  ['that a code is missing', [not({ on: 'entry', kind: 'token', parameter: 'other' })], false],
  ['an id', [{ on: 'id', anyOf: ['r1', 'r57', 'r3'] }], false],
];

const orders: readonly (TimeOrder | null)[] = [
  null,
  { on: 'at', isDescending: true },
  { on: 'at', isDescending: false },
  { on: 'date', parameter: 'due', isDescending: true },
  { on: 'date', parameter: 'due', isDescending: false },
];

const queries: PostgresQuery[] = [];
const pool = await newPool({ max: 6 });
const store = openPostgresStore({
  pool: wrapPool(pool, (client, query) => {
    queries.push(query);
    return client.query(query);
  }),
});
// A record that has come from another chart, one that has left, and one that is gone.
const first = records.find(({ id }) => id === 'r56') ?? change();
const left = { ...first, patientId: 'other-1', at: 1099 };
const gone = change({ ...records.find(({ id }) => id === 'r57'), id: 'r57', resource: null, index: [] });
const arrived = { ...(records.find(({ id }) => id === 'r58') ?? change()), patientId: 'large-1', at: 1050 };
for (let at = 0; at < records.length; at += 1000) await write(store, ...records.slice(at, at + 1000));
await write(store, left, gone, arrived);
await pool.query('vacuum analyze');
afterAll(() => store.close());

const current = records.flatMap((record): readonly RecordChange[] => {
  if (record.id === gone.id) return [];
  return [[left, arrived].find(({ id }) => id === record.id) ?? record];
});

const search = (on: ClinicalStore, order: TimeOrder | null, all: readonly SearchCondition[], offset = 0) => {
  const query = { type: 'Goal', conditions: all, start: { offset }, count: 10, withTotal: true };
  const page = order === null ? on.search(query) : on.searchInOrder?.({ ...query, order });
  return resultOf(page ?? on.search(query));
};

/** The page that a search must find. */
const expected = (order: TimeOrder | null, all: readonly SearchCondition[], offset = 0) => {
  const places = new Map(current.map(({ id }, place) => [id, place]));
  const found = current.filter(matches({ type: 'Goal', conditions: all })).map((record) => ({
    ...record,
    place: places.get(record.id) ?? -1,
    time: order === null ? null : timeOf(order)(record),
  }));
  const start = { offset };
  const inOrder = order === null ? found.slice(offset) : orderMatches(found, { order, start }, () => null);
  return { ids: inOrder.slice(0, 10).map(({ id }) => id), total: found.length };
};

describe.each(conditions)('a search of a large chart by %s', (_, own, isListed) => {
  test.each([
    ['in one chart', large],
    ['in two charts', both],
    ['in a small one', small],
  ])('%s finds what it should, in each order', async (_where, patients) => {
    for (const order of orders) {
      for (const offset of [0, 7]) {
        const all = [patients, ...own];
        const page = await search(store, order, all, offset);
        const ids = page.matches.map(({ id }) => id);
        expect({ order, ids, total: page.total }).toEqual({ order, ...expected(order, all, offset) });
      }
    }
  });

  test('reads only the rows of the page, unless there is no list that is short', async () => {
    for (const order of orders) {
      queries.length = 0;
      await search(store, order, [large, ...own]);
      const nodes = (await Promise.all(queries.splice(0).map((query) => explain(pool, query)))).flat();
      const rows = nodes
        .filter((node) => node['Relation Name'] === 'searchable' && node['Node Type'] !== 'Index Only Scan')
        .reduce((sum, node) => sum + rowsOf(node), 0);
      if (rows <= 22 !== isListed)
        console.error(
          _,
          JSON.stringify(order),
          rows,
          nodes
            .filter((n) => n['Relation Name'] === 'searchable')
            .map((n) => [n['Node Type'], n['Index Name'], rowsOf(n), n['Actual Loops']].join())
            .join(' | '),
        );
      expect({ order, isListed: rows <= 22 }).toEqual({ order, isListed });
    }
  });
});
