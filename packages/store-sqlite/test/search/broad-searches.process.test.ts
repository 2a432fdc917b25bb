import { writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import {
  type ClinicalStore,
  datePrefixes,
  type PositiveCondition,
  type SearchCondition,
  type SearchQuery,
} from '@clinical-records/core/store';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { SqliteDatabase } from '../../src/database.ts';
import { inTransaction, openSqliteStore } from '../../src/index.ts';
import { createQueryBuilder } from '../../src/schema.ts';
import { createSearchRunner } from '../../src/search/search-runner.ts';
import { createBroadSearches, openSnapshot } from '../../src/search/searcher.ts';
import { createTermDictionary } from '../../src/statement.ts';
import { newFile } from '../files.ts';
import { change, resultOf, write } from '../store-helpers.ts';

const records = 1200;

/** Records of which each has a status, a code and a time of its own. */
const fill = (store: ClinicalStore, from = 0, count = records) =>
  resultOf(
    store.commit({
      changes: Array.from({ length: count }, (_, at) => from + at).map((at) =>
        change({
          id: `${at}`,
          patientId: `p${at % 3}`,
          index: [
            { kind: 'token', parameter: 'status', system: 's', code: `${at % 2}` },
            { kind: 'token', parameter: 'code', system: 's', code: `${at}` },
            { kind: 'date', parameter: 'due', from: at, until: at + 1 },
          ],
        }),
      ),
      versionChecks: [],
    }),
  );

const due = (prefix: (typeof datePrefixes)[number], ...times: readonly number[]): PositiveCondition => ({
  on: 'date',
  parameter: 'due',
  anyOf: times.map((time) => ({ prefix, from: time, until: time + 10 })),
});
const token = (
  parameter: string,
  system: string | null,
  ...codes: readonly (string | null)[]
): PositiveCondition => ({
  on: 'token',
  parameter,
  anyOf: codes.map((code) => ({ system, code })),
});
const anyDue: PositiveCondition = { on: 'entry', kind: 'date', parameter: 'due' };
const not = (condition: PositiveCondition): SearchCondition => ({ on: 'not', condition });

const query = (conditions: readonly SearchCondition[], given: Partial<SearchQuery> = {}): SearchQuery => ({
  type: 'Goal',
  conditions,
  start: { offset: 0 },
  count: 7,
  withTotal: true,
  ...given,
});

let filled: Buffer | null = null;

/** A file with the records. */
const readFilled = async (): Promise<Buffer> => {
  if (filled !== null) return filled;
  const database = new Database(':memory:');
  const store = openSqliteStore({ database });
  await fill(store);
  filled = database.serialize();
  await store.close();
  return filled;
};

/** A store in a file of the host, which others can search beside it. */
const opened = async () => {
  const filename = newFile();
  writeFileSync(filename, await readFilled());
  const database = new Database(filename);
  database.pragma('journal_mode = WAL');
  const store = openSqliteStore({ database });
  return { database, store, broad: createBroadSearches(database, createQueryBuilder('')) };
};

/** Compares long pages faster than `toEqual`, which then shows the difference. */
const expectSame = <Page>(actual: Page, expected: Page): void => {
  expect(isDeepStrictEqual(actual, expected) ? expected : actual).toEqual(expected);
};

const turns = async (count: number) => {
  for (let at = 0; at < count; at++) await new Promise((resolve) => setImmediate(resolve));
};

const searches: readonly (readonly [string, readonly SearchCondition[]])[] = [
  ['all', []],
  ['ids', [{ on: 'id', anyOf: ['7', 'none', '3', '900'] }]],
  ['a patient', [{ on: 'patient', anyOf: ['p1'] }]],
  ['patients', [{ on: 'patient', anyOf: ['p1', 'p2'] }]],
  ['patients and a code', [{ on: 'patient', anyOf: ['p1', 'p2'] }, token('status', 's', '1')]],
  [
    'ids of patients',
    [
      { on: 'id', anyOf: ['1', '2', '3'] },
      { on: 'patient', anyOf: ['p1', 'p2'] },
    ],
  ],
  ['a code', [token('status', null, '1')]],
  ['codes', [token('code', null, ...Array.from({ length: 900 }, (_, at) => `${at}`))]],
  ['a system of more codes than are listed', [token('code', 's', null)]],
  ['more codes than are listed', [token('code', null, ...Array.from({ length: 1100 }, (_, at) => `${at}`))]],
  [
    'more codes of a system than are listed',
    [token('code', 's', ...Array.from({ length: 1100 }, (_, at) => `${at}`)), token('status', 's', '1')],
  ],
  ['any code', [token('code', null, null)]],
  ['such a system or a code, and another', [token('code', 's', null, '5'), token('status', 's', '1')]],
  ...datePrefixes.map((prefix) => [`a date, ${prefix}`, [due(prefix, 600)]] as const),
  ...datePrefixes.map((prefix) => [`dates, ${prefix}`, [due(prefix, 600, 30, 900)]] as const),
  ['no such code', [not(token('status', null, '1'))]],
  ['none of more codes than are listed', [not(token('code', 's', null))]],
  ['no such date', [not(due('ge', 600, 30))]],
  ['any entry', [{ on: 'entry', kind: 'token', parameter: 'code' }]],
  ['no entry, of some patients', [{ on: 'patient', anyOf: ['p1', 'p2'] }, not(anyDue)]],
  [
    'several of all',
    [due('ge', 100), due('ap', 300, 500), token('status', 's', '0'), token('code', 's', null)],
  ],
];

/** Every beginning of a page, and at two of them every size, each with a total and without. */
const pages = [
  ...[{ offset: 3 }, { offset: 700 }, { offset: 5000 }, { after: 'none' }].map((start) => ({ start })),
  ...[{ offset: 0 }, { after: '650' }].flatMap((start) =>
    [0, 7, 1000].flatMap((count) => [true, false].map((withTotal) => ({ start, count, withTotal }))),
  ),
];

test.each(searches)(
  'a broad search for %s returns the same as a search in one turn',
  async (_, conditions) => {
    const { database, store, broad } = await opened();
    const memory = openSqliteStore({ database: new Database(await readFilled()) });
    for (const page of pages) {
      const searched = query(conditions, page);
      const expected = await resultOf(memory.search(searched));
      expectSame(await broad.search(searched), { _tag: 'Right', right: expected });
      expectSame(await resultOf(store.search(searched)), expected);
    }
    database.close();
  },
);

test('a broad search shows one moment, whatever is committed while it runs', async () => {
  const { database, store, broad } = await opened();
  const running = broad.search(query([due('ge', 0)], { count: 2000 }));
  await turns(4);
  await fill(store, records, 10);
  await write(store, change({ id: '1199', resource: null }));
  expect(await running).toMatchObject({ right: { total: records, matches: { length: records } } });
  expect(await broad.search(query([due('ge', 0)]))).toMatchObject({ right: { total: records + 9 } });
  database.close();
});

test('other work has a turn after each slice of a broad search', async () => {
  const { database, broad } = await opened();
  let isRunning = true;
  const running = broad.search(query([due('ge', 0)])).finally(() => {
    isRunning = false;
  });
  let others = 0;
  for (; isRunning; others++) await turns(1);
  await running;
  expect(others).toBeGreaterThan(3);
  database.close();
});

test('four broad searches run side by side, 32 wait, and one more is Busy', async () => {
  const { database, broad } = await opened();
  const outcomes = await Promise.all(Array.from({ length: 37 }, () => broad.search(query([due('ge', 0)]))));
  expect(outcomes.map((outcome) => outcome?._tag)).toEqual([...Array(36).fill('Right'), 'Left']);
  expect(outcomes[36]).toMatchObject({ left: { _tag: 'Busy' } });
  expect(await broad.search(query([due('ge', 0)]))).toMatchObject({ _tag: 'Right' });
  database.close();
});

test('broad searches that run or wait when the store is closed are cancelled, and their handles are closed by then', async () => {
  const { database, broad } = await opened();
  const pending = Promise.all(Array.from({ length: 9 }, () => broad.search(query([due('ge', 0)]))));
  await turns(4);
  await broad.close();
  for (const outcome of await pending) expect(outcome).toMatchObject({ left: { _tag: 'Closed' } });
  // A handle that still read would keep the log.
  expect(database.pragma('wal_checkpoint(TRUNCATE)')).toMatchObject([{ busy: 0, log: 0 }]);
  expect(await broad.search(query([]))).toMatchObject({ left: { _tag: 'Closed' } });
  database.close();
});

test('a search that takes more steps than allowed is TooCostly at once, if it needs a total', async () => {
  const { database, broad } = await opened();
  const conditions = [due('ge', 100), due('ap', 300, 500), token('status', 's', '0')];
  const searched = query(conditions, { maxSteps: 200 });
  expect(await broad.search(searched)).toMatchObject({ left: { _tag: 'TooCostly' } });
  // Without a total, it ends where the page is full.
  expect(await broad.search({ ...searched, withTotal: false, maxSteps: 1500 })).toMatchObject({
    right: { hasMore: true, total: null },
  });
  expect(await broad.search({ ...searched, maxSteps: 100_000 })).toMatchObject({ _tag: 'Right' });
  database.close();
});

test('a search between two dates looks only at what is between them, if no record has several', async () => {
  const { database, broad } = await opened();
  const month = [due('ge', 600), due('lt', 640)];
  const searched = query(month, { maxSteps: 100 });
  expect(await broad.search(searched)).toMatchObject({ left: { _tag: 'TooCostly' } });
  const single = month.map((condition) => ({ ...condition, isSingle: true }) as const);
  expect(await broad.search({ ...searched, conditions: single })).toMatchObject({ right: { total: 40 } });
  database.close();
});

test('a search only by what must not hold looks at each record, or is TooCostly', async () => {
  const { database, broad } = await opened();
  for (const condition of [token('status', null, '1'), token('code', 's', null), anyDue]) {
    const searched = query([not(condition)], { maxSteps: records });
    expect(await broad.search(searched)).toMatchObject({ left: { _tag: 'TooCostly' } });
    expect(await broad.search({ ...searched, maxSteps: 4 * records })).toMatchObject({ _tag: 'Right' });
  }
  database.close();
});

/** Twenty conditions of which none implies another. */
const many = Array.from({ length: 20 }, (_, at) => due('ne', at, 2000 + at));

test('the steps of a search are the same, however it is sliced', async () => {
  const { database, broad } = await opened();
  // Its 600 candidates are compared with one condition more, and the 303rd is the eighth that fits: no page is shown of fewer.
  const conditions = [token('status', 's', '0'), due('ge', 600), due('ne', 3000)];
  const searched = query(conditions, { withTotal: false });
  const wide = { ...searched, maxSteps: 600 * 3 };
  expect(await broad.search(wide)).toMatchObject({ right: { hasMore: true } });
  for (const maxSteps of [100, 300]) {
    expect(await broad.search({ ...searched, maxSteps })).toMatchObject({ left: { _tag: 'TooCostly' } });
  }
  database.close();
});

test('each statement of a search is prepared once, however many slices it has', async () => {
  const { database } = await opened();
  const prepared: string[] = [];
  const counting: SqliteDatabase = {
    inTransaction: false,
    prepare: (sql) => {
      prepared.push(sql);
      return database.prepare(sql);
    },
    transaction: database.transaction.bind(database),
  };
  const db = createQueryBuilder('');
  const run = createSearchRunner(counting, db, createTermDictionary(counting, db))(query(many));
  let pieces = 1;
  while (!run.next().done) pieces++;
  expect(pieces).toBeGreaterThan(2);
  expect(new Set(prepared).size).toBe(prepared.length);
  database.close();
});

test('a handle for a broad search maps no part of the file, because unmapping a large one takes long', () => {
  const database = new Database(newFile());
  database.pragma('journal_mode = WAL');
  const snapshot = openSnapshot(database);
  expect(snapshot?.database.prepare('pragma mmap_size').get()).toEqual({ mmap_size: 0 });
  snapshot?.close();
  database.close();
});

test('without another handle, a search runs in one turn, and is TooCostly if that would take long', async () => {
  const rollback = new Database(newFile());
  const wrapped = new Database(newFile());
  wrapped.pragma('journal_mode = WAL');
  const { prepare, transaction } = wrapped;
  const other: SqliteDatabase = {
    get inTransaction() {
      return wrapped.inTransaction;
    },
    prepare: prepare.bind(wrapped),
    transaction: transaction.bind(wrapped),
  };
  for (const database of [new Database(':memory:'), rollback, other]) {
    const store = openSqliteStore({ database });
    await fill(store, 0, 3000);
    expect(await createBroadSearches(database, createQueryBuilder('')).search(query([]))).toBeNull();
    expect(await store.search(query(many, { maxSteps: 10_000_000 }))).toEqual({
      _tag: 'Left',
      left: { _tag: 'TooCostly' },
    });
    expect((await resultOf(store.search(query(many)))).total).toBe(3000);
    expect((await resultOf(store.search(query([due('ge', 0)], { maxSteps: 10_000_000 })))).total).toBe(3000);
  }
  rollback.close();
  wrapped.close();
});

test('in a transaction of the host, a search that joins it finds uncommitted records, and is bounded', async () => {
  const { database, store } = await opened();
  await inTransaction(database, async (tx) => {
    const joined = tx.join(store);
    await fill(joined, records, 1800);
    const searched = query([due('ge', 0)], { maxSteps: 10_000_000 });
    expect((await resultOf(joined.search(searched))).total).toBe(records + 1800);
    const tooMany = await joined.search(query(many, { maxSteps: 10_000_000 }));
    expect(tooMany).toEqual({ _tag: 'Left', left: { _tag: 'TooCostly' } });
  });
  database.close();
});
