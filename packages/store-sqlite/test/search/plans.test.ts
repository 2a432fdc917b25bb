import {
  type DateCriterion,
  type DatePrefix,
  datePrefixes,
  type PositiveCondition,
  type SearchCondition,
} from '@clinical-records/core/store';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openSqliteStore } from '../../src/index.ts';
import { change, resultOf, write } from '../store-helpers.ts';

// A search that takes long goes on elsewhere. Here, none takes any time.
beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

/** As many times, apart from each other, each asked for by the next of the prefixes. */
const times = (count: number, prefixes: readonly DatePrefix[]): readonly DateCriterion[] =>
  Array.from({ length: count }, (_, at) => ({
    prefix: prefixes[at % prefixes.length] ?? 'eq',
    from: 3 * at,
    until: 3 * at + 1,
  }));

const not = (condition: PositiveCondition): SearchCondition => ({ on: 'not', condition });

const cases: readonly [name: string, conditions: readonly SearchCondition[]][] = [
  ['of all records', []],
  ['by an id', [{ on: 'id', anyOf: ['a'] }]],
  ['by ids', [{ on: 'id', anyOf: ['a', 'b'] }]],
  ['by a patient', [{ on: 'patient', anyOf: ['p'] }]],
  ['by patients', [{ on: 'patient', anyOf: ['p', 'q'] }]],
  ['by a code', [{ on: 'token', parameter: 'status', anyOf: [{ system: null, code: 'active' }] }]],
  ['by any code', [{ on: 'token', parameter: 'status', anyOf: [{ system: null, code: null }] }]],
  ['by a word', [{ on: 'string', parameter: 'name', anyOf: ['a'] }]],
  ['by words', [{ on: 'string', parameter: 'name', anyOf: ['a', 'b'] }]],
  ['by an entry', [{ on: 'entry', kind: 'reference', parameter: 'encounter' }]],
  ['without an entry', [not({ on: 'entry', kind: 'token', parameter: 'status' })]],
  ['without a code', [not({ on: 'token', parameter: 'status', anyOf: [{ system: null, code: 'active' }] })]],
  ['without a date', [not({ on: 'date', parameter: 'due', anyOf: times(1, ['ge']) })]],
  ['without dates', [not({ on: 'date', parameter: 'due', anyOf: times(500, ['eq']) })]],
  ...datePrefixes.flatMap((prefix): [string, SearchCondition[]][] => [
    [`by a date, ${prefix}`, [{ on: 'date', parameter: 'due', anyOf: times(1, [prefix]) }]],
    [`by 500 dates, ${prefix}`, [{ on: 'date', parameter: 'due', anyOf: times(500, [prefix]) }]],
    [`by the time of the version, ${prefix}`, [{ on: 'at', anyOf: times(1, [prefix]) }]],
    [`by 500 times of the version, ${prefix}`, [{ on: 'at', anyOf: times(500, [prefix]) }]],
  ]),
  [
    'by 500 dates, each by the next prefix',
    [{ on: 'date', parameter: 'due', anyOf: times(500, datePrefixes) }],
  ],
];

const day = 86_400_000;

/** 200 records with entries of each kind. Every test opens a store of its own on them, and none writes. */
const fill = async (): Promise<Database.Database> => {
  const database = new Database(':memory:');
  await write(
    openSqliteStore({ database }),
    ...Array.from({ length: 200 }, (_, at) =>
      change({
        id: `a${at}`,
        at: at * 1000,
        index: [
          { kind: 'token', parameter: 'status', system: '', code: 'active' },
          { kind: 'token', parameter: 'status', system: '', code: 'late' },
          { kind: 'string', parameter: 'name', word: `a${at}` },
          { kind: 'date', parameter: 'due', from: at * day, until: (at + 1) * day },
        ],
      }),
    ),
  );
  return database;
};

let guessed: Database.Database;
let counted: Database.Database;
beforeAll(async () => {
  guessed = await fill();
  counted = await fill();
  counted.exec('ANALYZE');
});
afterAll(() => {
  guessed.close();
  counted.close();
});

/** Opens a store whose statements can be seen; SQLite plans them by its own guesses, or by what ANALYZE has counted. */
const watched = ({ analyzed = false } = {}) => {
  const database = analyzed ? counted : guessed;
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
  prepared.splice(0);
  return { database, store, preparedSince: () => prepared.splice(0) };
};

const planOf = (database: Database.Database, sql: string): readonly string[] =>
  database
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(Array.from(sql.matchAll(/\?/g), () => 1))
    .map(({ detail }) => detail);

const patient: SearchCondition = { on: 'patient', anyOf: ['p'] };

for (const [name, conditions] of cases) {
  test(`a search ${name}, and of a patient too, scans no table, nor after ANALYZE has counted`, async () => {
    const { store, preparedSince } = watched();
    for (const prefixes of [conditions, [patient, ...conditions]]) {
      for (const start of [{ offset: 0 }, { offset: 5 }, { after: 'a3' }]) {
        await resultOf(
          store.search({ type: 'Goal', conditions: prefixes, start, count: 1, withTotal: true }),
        );
      }
    }
    const statements = preparedSince();
    expect(statements.length).toBeGreaterThan(1);
    for (const sql of statements) {
      for (const step of [guessed, counted].flatMap((database) => planOf(database, sql))) {
        expect(step).not.toMatch(/SCAN (records|entries|terms)/);
        // A search for dates only by their term would read all dates.
        if (sql.includes('"until"')) expect(step).not.toMatch(/SEARCH entries .*\(term=\?\)/);
      }
    }
  });

  test(`a search ${name} is compiled and prepared once`, async () => {
    const { store, preparedSince } = watched();
    const query = { type: 'Goal', conditions, start: { offset: 0 }, count: 1, withTotal: true };
    await resultOf(store.search(query));
    preparedSince();
    await resultOf(store.search({ ...query, count: 7 }));
    expect(preparedSince()).toEqual([]);
  });
}

test.each<[DatePrefix, from: number, ids: readonly string[]]>([
  ['ge', 198_000, ['a198', 'a199']],
  ['gt', 198_000, ['a199']],
  ['sa', 198_000, ['a199']],
  ['ge', 200_000, []],
  ['eq', 7000, ['a7']],
  ['lt', 2000, ['a0', 'a1']],
  ['eb', 2000, ['a0', 'a1']],
  ['le', 1000, ['a0', 'a1']],
])(
  'a search by the time of the version, %s, looks only at the records of that time',
  async (prefix, from, ids) => {
    const { store } = watched();
    const found = await resultOf(
      store.search({
        type: 'Goal',
        conditions: [{ on: 'at', anyOf: [{ prefix, from, until: from + 1 }] }],
        ...{ start: { offset: 0 }, count: 10, withTotal: true, maxSteps: 20 },
      }),
    );
    expect(found).toMatchObject({ total: ids.length, matches: ids.map((id) => ({ id })) });
  },
);

test('the statements of a search by many conditions are not cached, because they are large and rarely repeated', async () => {
  const { store, preparedSince } = watched();
  const isKept = async (conditions: number) => {
    const one: SearchCondition = {
      on: 'date',
      parameter: 'due',
      anyOf: [{ prefix: 'ge', from: 1, until: 2 }],
    };
    const query = {
      type: 'Goal',
      conditions: Array(conditions).fill(one),
      start: { offset: 0 },
      count: 1,
      withTotal: true,
    };
    await resultOf(store.search(query));
    preparedSince();
    await resultOf(store.search(query));
    return preparedSince().length === 0;
  };
  expect([await isKept(5), await isKept(30)]).toEqual([true, false]);
});

test('a search by several dates is prepared once for any number of them, in any order', async () => {
  const { store, preparedSince } = watched();
  const search = (anyOf: readonly DateCriterion[]) =>
    resultOf(
      store.search({
        type: 'Goal',
        conditions: [{ on: 'date', parameter: 'due', anyOf }],
        start: { offset: 0 },
        count: 1,
        withTotal: true,
      }),
    );
  for (const prefixes of [['eq'], ['sa']] as const) {
    await search(times(2 * prefixes.length, prefixes));
    preparedSince();
    await search(times(500, prefixes).toReversed());
    expect(preparedSince()).toEqual([]);
  }
});

for (const analyzed of [false, true]) {
  test(`dates that end after a time are found by their beginnings, and long ones by their ends${analyzed ? ', after ANALYZE has counted' : ''}`, async () => {
    const { database, store, preparedSince } = watched({ analyzed });
    for (const prefix of ['gt', 'ge', 'ap'] as const) {
      preparedSince();
      const conditions: SearchCondition[] = [{ on: 'date', parameter: 'due', anyOf: times(1, [prefix]) }];
      await resultOf(
        store.search({ type: 'Goal', conditions, start: { offset: 0 }, count: 1, withTotal: true }),
      );
      const [count = ''] = preparedSince().filter((sql) => sql.includes('as counted from'));
      expect(planOf(database, count).filter((step) => step.includes('SEARCH entries'))).toEqual([
        'SEARCH entries USING PRIMARY KEY (term=? AND from>?)',
        expect.stringContaining('INDEX long_dates_by_until (term=? AND until>?)'),
      ]);
    }
  });
}

test('the records of a code are read in the order of their creation, behind those that were seen before', async () => {
  const { database, store, preparedSince } = watched();
  preparedSince();
  const active: SearchCondition = {
    on: 'token',
    parameter: 'status',
    anyOf: [{ system: null, code: 'active' }],
  };
  const search = { type: 'Goal', conditions: [active], start: { offset: 5 }, count: 9, withTotal: true };
  await resultOf(store.search(search));
  const [slice = ''] = preparedSince().filter((sql) => sql.includes('as found'));
  const plan = planOf(database, slice).join('\n');
  expect(plan).toContain('SEARCH entries USING PRIMARY KEY (term=? AND from=? AND until=? AND record>?)');
  expect(plan).not.toContain('TEMP B-TREE');
});

test('a patient with another condition is looked up by the patient, and the other by the record', async () => {
  const { database, store, preparedSince } = watched();
  preparedSince();
  for (const [, conditions] of cases.slice(5)) {
    await resultOf(
      store.search({
        type: 'Goal',
        conditions: [patient, ...conditions],
        start: { offset: 0 },
        count: 9,
        withTotal: true,
      }),
    );
  }
  const slices = preparedSince().filter((sql) => sql.includes('as found'));
  const plans = slices.map((sql) => planOf(database, sql).join('\n'));
  expect(plans.length).toBeGreaterThan(0);
  for (const plan of plans) {
    // In the order of their creation, behind those that were seen before.
    expect(plan).toMatch(
      /SEARCH records USING COVERING INDEX records_by_patient \(patient_id=\? AND type=\? AND rowid>\?\)/,
    );
    expect(plan).toMatch(/SEARCH (entries .*record=\?|records USING INTEGER PRIMARY KEY \(rowid=\?\))/);
    expect(plan).not.toContain('TEMP B-TREE FOR ORDER BY');
  }
});

for (const analyzed of [false, true]) {
  test(`for a found record, a list of codes reads its entries once, not for each code${analyzed ? ', after ANALYZE has counted' : ''}`, async () => {
    const { database, store, preparedSince } = watched({ analyzed });
    preparedSince();
    const anyStatus: SearchCondition = {
      on: 'token',
      parameter: 'status',
      anyOf: [{ system: null, code: null }],
    };
    for (const found of [
      patient,
      { on: 'patient', anyOf: ['p', 'q'] },
      { on: 'id', anyOf: ['a1', 'a2'] },
      { on: 'token', parameter: 'status', anyOf: [{ system: null, code: 'active' }] },
      { on: 'date', parameter: 'due', anyOf: times(2, ['ge']) },
    ] satisfies readonly SearchCondition[]) {
      await resultOf(
        store.search({
          type: 'Goal',
          conditions: [found, anyStatus],
          start: { offset: 0 },
          count: 0,
          withTotal: true,
        }),
      );
    }
    const lookups = preparedSince()
      .filter((sql) => sql.includes('exists'))
      .map((sql) => planOf(database, sql).filter((step) => /SEARCH entries .*record=/.test(step)));
    expect(lookups).toHaveLength(5);
    for (const lookup of lookups) {
      expect(lookup).toEqual([expect.stringContaining('USING COVERING INDEX entries_by_record (record=?)')]);
    }
  });
}

test('a search begins with the condition that finds the fewest records, or that saves a long list of dates', async () => {
  const { store, preparedSince } = watched();
  const beginsAt = async (...conditions: readonly SearchCondition[]) => {
    preparedSince();
    await resultOf(
      store.search({ type: 'Goal', conditions, start: { offset: 0 }, count: 0, withTotal: true }),
    );
    const [page = ''] = preparedSince().filter((sql) => sql.includes('exists'));
    return /exists \(select 1 from "entries" where [^(]* and \+"entries"/.test(page) ? 'entries' : 'dates';
  };
  const active: SearchCondition = {
    on: 'token',
    parameter: 'status',
    anyOf: [{ system: null, code: 'active' }],
  };
  const due = (...anyOf: readonly DateCriterion[]): SearchCondition => ({
    on: 'date',
    parameter: 'due',
    anyOf,
  });
  const from = (time: number): SearchCondition =>
    due({ prefix: 'ge', from: time * day, until: (time + 1) * day });
  expect(await beginsAt(active, from(199))).toBe('dates');
  expect(await beginsAt(from(199), active)).toBe('dates');
  expect(await beginsAt(active, from(0))).toBe('entries');
  expect(await beginsAt(active, due(...times(250, ['eq'])))).toBe('dates');
});

for (const analyzed of [false, true]) {
  test(`a list of ids is looked up by the ids, even with a list of patients${analyzed ? ', after ANALYZE has counted' : ''}`, async () => {
    const { database, store, preparedSince } = watched({ analyzed });
    preparedSince();
    const ids: SearchCondition = { on: 'id', anyOf: ['a', 'b'] };
    const patients: SearchCondition = { on: 'patient', anyOf: ['p', 'q'] };
    for (const conditions of [
      [ids, patients],
      [patients, ids],
    ]) {
      await resultOf(
        store.search({ type: 'Goal', conditions, start: { offset: 1 }, count: 9, withTotal: true }),
      );
    }
    const [list = '', ...compared] = preparedSince().map((sql) => planOf(database, sql).join('\n'));
    expect(list).toMatch(/SEARCH records USING INDEX records_by_name \(id=\?\)/);
    for (const plan of compared) expect(plan).not.toMatch(/records_by_(name|patient)/);
  });
}

test('a page of the feed reads no more records than it has entries, however many have newer versions', async () => {
  const { database, store, preparedSince } = watched();
  await resultOf(store.changesSince({ limit: 1 }));
  const [feed = ''] = preparedSince().filter((sql) => /from "superseded".*union all/.test(sql));
  const plan = planOf(database, feed);
  expect(plan).toContain('SEARCH superseded USING INTEGER PRIMARY KEY (rowid>?)');
  // Those that were created are looked up one by one, from a list that is as long as the page at most.
  expect(plan).not.toContain('SEARCH records USING INTEGER PRIMARY KEY (rowid>?)');
  expect(feed).toMatch(/"created"\."position" > \+\? order by "created"\."position" limit \+\?/);
});

test('the end of the feed is looked up at the ends of two indexes', async () => {
  const { database, store, preparedSince } = watched();
  await resultOf(store.feedEnd());
  const [end = ''] = preparedSince().filter((sql) => /max\("newest"/.test(sql));
  expect(planOf(database, end).filter((step) => /SCAN/.test(step))).toEqual([]);
});

/** SQLite's mark of a column of which only the length is needed, so that its text is not read. */
const onlyLength = 0xc0;

test('a part of a history reads a range of one index, sorts nothing, and reads no text', async () => {
  const { database, store, preparedSince } = watched();
  preparedSince();
  await resultOf(store.history({ type: 'Goal', id: 'a1', limit: 1 }));
  const [sql = '', ...others] = preparedSince();
  expect(others).toEqual([]);
  const plan = planOf(database, sql);
  expect(plan).toContain('SEARCH superseded USING INDEX superseded_by_record (record=? AND version<?)');
  expect(plan.join()).not.toMatch(/SCAN|TEMP B-TREE/);
  const steps = database
    .prepare<unknown[], { opcode: string; p4: unknown; p3: number; p5: number }>(`EXPLAIN ${sql}`)
    .all(Array.from(sql.matchAll(/\?/g), () => 1));
  const lengths = steps.flatMap(({ opcode, p4 }, at) =>
    opcode === 'Function' && `${p4}`.startsWith('octet_length') ? [steps[at - 1]] : [],
  );
  expect(lengths).toHaveLength(2);
  for (const column of lengths) expect(column).toMatchObject({ opcode: 'Column', p5: onlyLength });
});

test('a version that is read by its number is found by one index', async () => {
  const { database, store, preparedSince } = watched();
  preparedSince();
  await resultOf(store.readVersion({ type: 'Goal', id: 'a1', version: 1 }));
  const plans = preparedSince().map((sql) => planOf(database, sql).join());
  expect(plans).toEqual([
    expect.stringContaining('superseded USING INDEX superseded_by_record (record=? AND version=?)'),
  ]);
});
