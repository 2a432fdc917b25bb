import type { Condition } from '@clinical-records/core';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../src/index.ts';
import { answer, change, write } from './changes.ts';

const cases: readonly [name: string, conditions: readonly Condition[]][] = [
  ['of all records', []],
  ['by an id', [{ on: 'id', anyOf: ['a'] }]],
  ['by ids', [{ on: 'id', anyOf: ['a', 'b'] }]],
  ['by a patient', [{ on: 'patient', anyOf: ['p'] }]],
  ['by patients', [{ on: 'patient', anyOf: ['p', 'q'] }]],
  ['by a code', [{ on: 'token', parameter: 'status', anyOf: [{ system: null, code: 'active' }] }]],
  ['by any code', [{ on: 'token', parameter: 'status', anyOf: [{ system: null, code: null }] }]],
  ...(['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'sa', 'eb', 'ap'] as const).map(
    (prefix): [string, Condition[]] => [
      `by a date, ${prefix}`,
      [{ on: 'date', parameter: 'due', anyOf: [{ prefix, from: 1, until: 2 }] }],
    ],
  ),
];

/** Opens a store whose statements can be seen. */
const watched = async () => {
  const database = new Database(':memory:');
  const prepared: string[] = [];
  const prepare = (sql: string) => {
    prepared.push(sql);
    return database.prepare(sql);
  };
  const store = openSqliteStore({
    database: {
      get inTransaction() {
        return database.inTransaction;
      },
      prepare,
      transaction: database.transaction.bind(database),
    },
  });
  await write(
    store,
    change({
      index: [
        { kind: 'token', parameter: 'status', system: '', code: 'active' },
        { kind: 'token', parameter: 'status', system: '', code: 'late' },
        { kind: 'date', parameter: 'due', from: 1, until: 2 },
      ],
    }),
  );
  return { database, store, preparedSince: () => prepared.splice(0) };
};

const planOf = (database: Database.Database, sql: string): readonly string[] =>
  database
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(Array.from(sql.matchAll(/\?/g), () => 1))
    .map(({ detail }) => detail);

const patient: Condition = { on: 'patient', anyOf: ['p'] };

for (const [name, conditions] of cases) {
  test(`a search ${name}, and of a patient too, scans no table`, async () => {
    const { database, store, preparedSince } = await watched();
    preparedSince();
    for (const asked of [conditions, [patient, ...conditions]]) {
      for (const start of [{ offset: 0 }, { offset: 5 }, { after: 0 }]) {
        await answer(store.search({ type: 'Goal', conditions: asked, start, count: 1 }));
      }
    }
    for (const sql of preparedSince()) {
      for (const step of planOf(database, sql)) {
        expect(step).not.toMatch(/SCAN (records|entries|dates|terms)/);
        // A search for dates by their term alone would read all dates there are.
        expect(step).not.toMatch(/dates_by_\w+ \(term=\?\)/);
      }
    }
    database.close();
  });

  test(`a search ${name} is compiled and prepared once`, async () => {
    const { database, store, preparedSince } = await watched();
    const query = { type: 'Goal', conditions, start: { offset: 0 }, count: 1 };
    await answer(store.search(query));
    preparedSince();
    await answer(store.search({ ...query, count: 7 }));
    expect(preparedSince()).toEqual([]);
    database.close();
  });
}

test('the statements of a search by many dates are not kept, for they are large, and seldom asked for twice', async () => {
  const { database, store, preparedSince } = await watched();
  const isKept = async (alternatives: number) => {
    const anyOf = Array(alternatives).fill({ prefix: 'ge', from: 1, until: 2 });
    const conditions: Condition[] = [{ on: 'date', parameter: 'due', anyOf }];
    const query = { type: 'Goal', conditions, start: { offset: 0 }, count: 1 };
    await answer(store.search(query));
    preparedSince();
    await answer(store.search(query));
    return preparedSince().length === 0;
  };
  expect([await isKept(10), await isKept(30)]).toEqual([true, false]);
  database.close();
});

test('a patient with another condition is looked up by the patient, and the other by the record', async () => {
  const { database, store, preparedSince } = await watched();
  preparedSince();
  for (const [, conditions] of cases.slice(5)) {
    await answer(
      store.search({ type: 'Goal', conditions: [patient, ...conditions], start: { offset: 0 }, count: 9 }),
    );
  }
  for (const sql of preparedSince()) {
    const plan = planOf(database, sql).join('\n');
    expect(plan).toMatch(
      /SEARCH records USING COVERING INDEX records_by_patient \(patient_id=\? AND type=\?\)/,
    );
    expect(plan).toMatch(/SEARCH (entries|dates) .*record=\?/);
  }
  database.close();
});

test('a page of the feed looks at no more records than it has entries, however many have newer versions', async () => {
  const { database, preparedSince } = await watched();
  const [feed = ''] = preparedSince().filter((sql) => /from "superseded".*union all/.test(sql));
  const plan = planOf(database, feed);
  expect(plan).toContain('SEARCH superseded USING INTEGER PRIMARY KEY (rowid>?)');
  // Those that were created are looked up one by one, from a list that is as long as the page at most.
  expect(plan).not.toContain('SEARCH records USING INTEGER PRIMARY KEY (rowid>?)');
  expect(feed).toMatch(/"created"\."position" > \+\? order by "created"\."position" limit \+\?/);
  database.close();
});
