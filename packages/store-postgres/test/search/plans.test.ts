import {
  type ClinicalStore,
  type DatePrefix,
  datePrefixes,
  type PositiveCondition,
  type RecordChange,
  type SearchCondition,
  type TimeOrder,
} from '@clinical-records/core/store';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { inTransaction, openPostgresStore } from '../../src/index.ts';
import type { PostgresPool, PostgresQuery } from '../../src/postgres-pool.ts';
import { wrapPool } from '../host/wrap-pool.ts';
import { change, resultOf, write } from '../store-helpers.ts';
import { newPool } from '../tenants/databases.ts';
import { explain, nodesOf, type PlanNode, planOf, rowsOf } from './explain.ts';

const pool = await newPool({ max: 2 });
const patients = 300;
const recordsOfPatient = 20;

/** A pool that keeps the queries that run on its clients. */
const watch = (queries: PostgresQuery[]): PostgresPool =>
  wrapPool(pool, (client, query) => {
    queries.push(query);
    return client.query(query);
  });

/** A store with some thousands of records of several patients, and the plan of what is done with it. */
const openFilled = async (schema: string, partitions: number) => {
  const queries: PostgresQuery[] = [];
  const store = openPostgresStore({ pool: watch(queries), schema, partitions });
  for (let at = 0; at < patients; at += 100) {
    const changes = Array.from({ length: 100 * recordsOfPatient }, (_, n) =>
      change({
        id: `${at}-${n}`,
        patientId: `p${at + (n % 100)}`,
        index: [
          { kind: 'token', parameter: 'status', system: '', code: n % 3 === 0 ? 'active' : 'completed' },
          { kind: 'date', parameter: 'due', from: n, until: n + 1 },
        ],
      }),
    );
    await write(store, ...changes);
    // A second version of each, so that its index is worth being used.
    await write(store, ...changes.map((one) => ({ ...one, at: 2 })));
  }
  await write(store, change({ id: '100-8', patientId: 'p9' }));
  await pool.query('analyze');
  return {
    store,
    planOf: async (work: (store: ClinicalStore) => Promise<unknown>): Promise<readonly PlanNode[]> => {
      queries.length = 0;
      await work(store);
      return (await Promise.all(queries.splice(0).map((query) => explain(pool, query)))).flat();
    },
  };
};

const patient: SearchCondition = { on: 'patient', anyOf: ['p107'] };
const status: PositiveCondition = {
  on: 'token',
  parameter: 'status',
  anyOf: [{ system: null, code: 'active' }],
};
const completed: PositiveCondition = { ...status, anyOf: [{ system: null, code: 'completed' }] };
const anyStatus: SearchCondition = { on: 'entry', kind: 'token', parameter: 'status' };
const exactStatus: SearchCondition = { ...status, anyOf: [{ system: '', code: 'active' }] };
const due: SearchCondition = {
  on: 'date',
  parameter: 'due',
  anyOf: [{ prefix: 'ge', from: 500, until: 501 }],
};

const not = (condition: PositiveCondition): SearchCondition => ({ on: 'not', condition });

const search =
  (...conditions: readonly SearchCondition[]) =>
  (start: { offset: number } | { after: string } = { offset: 0 }) =>
  async (store: ClinicalStore) => {
    const page = await resultOf(
      store.search({ type: 'Goal', conditions, start, count: 10, withTotal: true }),
    );
    expect(page.total).toBeGreaterThan(0);
  };

const inOrder =
  (order: TimeOrder, ...conditions: readonly SearchCondition[]) =>
  async (store: ClinicalStore) => {
    const query = { type: 'Goal', conditions, start: { offset: 0 }, count: 10, withTotal: true };
    const page = await store.searchInOrder?.({ ...query, order });
    expect(page).toMatchObject({ _tag: 'Right' });
  };

const latestFirst: TimeOrder = { on: 'date', parameter: 'due', isDescending: true };

/** Reads of one chart, or of one record, which must not read others. */
const work: readonly [name: string, (store: ClinicalStore) => Promise<unknown>][] = [
  ['a search of a chart', search(patient)()],
  ['two searches of a chart', (store) => Promise.all([1, 2].map(() => search(patient)()(store)))],
  ['a later page of it', search(patient)({ after: '100-207' })],
  ['a search of a chart by a code', search(patient, status)()],
  ['a search of a chart by a system and a code', search(patient, exactStatus)()],
  ['a search of a chart by a date', search(patient, due)()],
  ['a search of a chart by a code and a date', search(patient, status, due)()],
  ['a search of a chart without a code', search(patient, not(completed))()],
  [
    'a search of a chart by any entry',
    search(patient, status, { on: 'entry', kind: 'date', parameter: 'due' }, anyStatus)(),
  ],
  ['a search of a chart in the order of a date', inOrder(latestFirst, patient)],
  ['a search of a chart by a code in the order of a date', inOrder(latestFirst, patient, status)],
  ['a search of a chart in the order of its changes', inOrder({ on: 'at', isDescending: true }, patient)],
  ['a search by an id', search({ on: 'id', anyOf: ['100-7'] })()],
  ['a read by id', (store) => resultOf(store.read({ type: 'Goal', id: '100-7' }))],
  ['a read of a resource', (store) => resultOf(store.readResource({ type: 'Goal', id: '100-7' }))],
  ['a history', (store) => resultOf(store.history({ type: 'Goal', id: '100-7', limit: 10 }))],
  [
    'a part of a history',
    (store) => resultOf(store.history({ type: 'Goal', id: '100-7', before: 2, limit: 1 })),
  ],
  ['a current version', (store) => resultOf(store.readVersion({ type: 'Goal', id: '100-7', version: 2 }))],
  ['a first version', (store) => resultOf(store.readVersion({ type: 'Goal', id: '100-7', version: 1 }))],
  [
    'versions that are read together',
    (store) =>
      Promise.all(
        [1, 2].map((version) => resultOf(store.readVersion({ type: 'Goal', id: '100-7', version }))),
      ),
  ],
];

const large = /^(versions|records|searchable|entries|dates)(_\d+)?$/;

const whole = await openFilled('whole', 0);

/** Pages of all records of a type, of which the number is known. */
const pagesOfType: typeof work = [
  ['a search for all records of a type', search()()],
  ['a later page of it', search()({ after: '100-207' })],
];

test.each([...work, ...pagesOfType])('%s reads no table from end to end', async (_, run) => {
  const nodes = await whole.planOf(run);
  const scans = nodes.filter((node) => large.test(node['Relation Name'] ?? ''));
  expect(scans).not.toEqual([]);
  expect(scans.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
});

test('a chart in the order of a date is read from two indexes, with the rows of the page alone', async () => {
  const nodes = await whole.planOf(inOrder(latestFirst, patient));
  const rows = nodes.filter((node) => /^(searchable|dates)$/.test(node['Relation Name'] ?? ''));
  const listed = rows.filter((node) => node['Actual Rows'] * node['Actual Loops'] === recordsOfPatient);
  expect(new Set(listed.map((node) => node['Index Name']))).toEqual(
    new Set(['dates_by_chart', 'searchable_pkey']),
  );
  const read = rows.filter((node) => !listed.includes(node));
  expect(read.map(rowsOf)).toEqual([11]);
});

const divided = await openFilled('divided', 4);

// The feed and a scan name no patient, and read all partitions.
test.each(work)('%s reads one partition of each table', async (_, run) => {
  const nodes = await divided.planOf(run);
  const names = new Set(nodes.flatMap((node) => node['Relation Name'] ?? []));
  const partitionsOf = (table: string) => [...names].filter((name) => name.startsWith(`${table}_`));
  const read = [partitionsOf('versions'), partitionsOf('searchable')].filter(({ length }) => length > 0);
  expect(read).not.toEqual([]);
  expect(read.filter(({ length }) => length > 1)).toEqual([]);
  expect(
    nodes.filter((node) => node['Node Type'] === 'Seq Scan' && large.test(node['Relation Name'] ?? '')),
  ).toEqual([]);
});

test('the history of a record has its versions in the chart of another patient', async () => {
  const versions = await resultOf(divided.store.history({ type: 'Goal', id: '100-8', limit: 10 }));
  expect(versions.map(({ version, patientId }) => [version, patientId])).toEqual([
    [3, 'p9'],
    [2, 'p108'],
    [1, 'p108'],
  ]);
});

test('a part of a history reads no more versions than it has', async () => {
  const many = Array.from({ length: 40 }, (_, at) => change({ id: 'long', patientId: 'p9', at }));
  for (const version of many) await write(divided.store, version);
  const range = { type: 'Goal', id: 'long', before: 30, limit: 3 };
  expect((await resultOf(divided.store.history(range))).map(({ version }) => version)).toEqual([29, 28, 27]);
  const nodes = await divided.planOf((store) => resultOf(store.history(range)));
  const versions = nodes.filter((node) => node['Relation Name']?.startsWith('versions'));
  expect(versions.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0)).toBe(3);
});

const day = 86_400_000;

/** The nodes of a search's plan that read the dates of two thousand records, one of each day. */
const readsOfDates = async (schema: string, ...conditions: readonly SearchCondition[]) => {
  const queries: PostgresQuery[] = [];
  const store = openPostgresStore({ pool: watch(queries), schema });
  const days = Array.from({ length: 2000 }, (_, n) =>
    change({
      id: `${n}`,
      patientId: `p${n % 100}`,
      index: [{ kind: 'date', parameter: 'due', from: n * day, until: (n + 1) * day }],
    }),
  );
  await write(store, ...days);
  await pool.query(`vacuum analyze ${schema}.dates`);
  queries.length = 0;
  await search(...conditions)()(store);
  const [{ text, values = [] } = { text: '' }] = queries.filter((query) => query.text.includes('."dates"'));
  const { rows } = await pool.query(`explain (analyze, format json) ${text}`, [...values]);
  return nodesOf(rows[0]['QUERY PLAN'][0].Plan).filter((node) =>
    /dates/.test(node['Relation Name'] ?? node['Index Name'] ?? ''),
  );
};

const dueOn = (prefix: DatePrefix, at: number) =>
  ({ on: 'date', parameter: 'due', anyOf: [{ prefix, from: at * day, until: (at + 1) * day }] }) as const;

test.each(datePrefixes.filter((prefix) => prefix !== 'ne'))(
  'the dates of a search by %s are a range of an index that has all of them, and the long ones another one',
  async (prefix) => {
    const at = ['lt', 'le', 'eb'].includes(prefix) ? 10 : 1990;
    const [short, ...long] = await readsOfDates(`dated_${prefix}`, dueOn(prefix, at));
    expect(short).toMatchObject({ 'Node Type': 'Index Only Scan', 'Index Name': 'dates_pkey' });
    expect(long).not.toEqual([]);
    expect(long.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    expect([short, ...long].every((node) => node !== undefined && rowsOf(node) <= 12)).toBe(true);
  },
);

test('a search between two dates reads only what is between them, if no record has several', async () => {
  const month = [dueOn('ge', 1000), dueOn('lt', 1030)].map((one) => ({ ...one, isSingle: true }) as const);
  const nodes = await readsOfDates('dated_between', ...month);
  expect(nodes).not.toEqual([]);
  expect(nodes.every((node) => rowsOf(node) <= 33)).toBe(true);
});

test('words are found by an index of them, without a look at other words', async () => {
  const queries: PostgresQuery[] = [];
  const store = openPostgresStore({ pool: watch(queries), schema: 'words' });
  const people = Array.from({ length: 3000 }, (_, n) =>
    change({ id: `${n}`, patientId: `${n}`, index: [{ kind: 'string', parameter: 'name', word: `w${n}` }] }),
  );
  await write(store, ...people);
  await pool.query('analyze');
  queries.length = 0;
  await search({ on: 'string', parameter: 'name', anyOf: ['w29', 'w77'] })()(store);
  const selects = queries.filter(({ text }) => text.includes('."terms"'));
  const plans = await Promise.all(
    selects.map(({ text, values = [] }) => pool.query(`explain (analyze, format json) ${text}`, [...values])),
  );
  const nodes = plans
    .flatMap(({ rows }) => nodesOf(rows[0]['QUERY PLAN'][0].Plan))
    .filter((node) => node['Relation Name'] === 'terms');
  expect(new Set(nodes.map((node) => node['Index Name']))).toEqual(new Set(['terms_by_word']));
  // 'w29' begins 111 words, and 'w77' begins 11.
  expect(nodes.map(rowsOf)).toEqual(nodes.map(() => 122));
});

test('a search that names only a system does not compare its terms with those of each record', async () => {
  const queries: PostgresQuery[] = [];
  const store = openPostgresStore({ pool: watch(queries), schema: 'systems' });
  const index = ['x', 'y'].map((code) => ({ kind: 'token', parameter: 'code', system: 's', code }) as const);
  await write(store, change({ index }));
  queries.length = 0;
  const anyOf = [{ system: 's', code: null }];
  const page = await resultOf(
    store.search({
      ...{ type: 'Goal', conditions: [{ on: 'token', parameter: 'code', anyOf }] },
      ...{ start: { offset: 0 }, count: 10, withTotal: true },
    }),
  );
  expect(page).toMatchObject({ total: 1, matches: [{ id: 'a' }] });
  expect(queries.filter(({ text }) => text.includes('&&'))).toEqual([]);
});

test('a search of all charts by codes compares no record of one condition with all of another', async () => {
  const queries: PostgresQuery[] = [];
  const store = openPostgresStore({ pool: watch(queries), schema: 'codes' });
  const records = Array.from({ length: 3000 }, (_, n) =>
    change({
      id: `${n}`,
      patientId: `p${n % 100}`,
      index: [
        { kind: 'token', parameter: 'status', system: '', code: n % 3 === 0 ? 'active' : 'completed' },
        ...(n % 7 === 0
          ? []
          : [{ kind: 'token', parameter: 'code', system: 's', code: `${n % 200}` } as const]),
        { kind: 'date', parameter: 'due', from: n, until: n + 1 },
      ],
    }),
  );
  await write(store, ...records);
  await pool.query('analyze');
  const code: PositiveCondition = { on: 'token', parameter: 'code', anyOf: [{ system: 's', code: null }] };
  for (const conditions of [[status, due], [status, code], [code, due], [status, not(code)], [not(code)]]) {
    queries.length = 0;
    await search(...conditions)()(store);
    const [{ text, values = [] } = { text: '' }] = queries.filter((query) =>
      query.text.includes('searchable'),
    );
    const { rows } = await pool.query(`explain (analyze, format json) ${text}`, [...values]);
    const sideTables = nodesOf(rows[0]['QUERY PLAN'][0].Plan).filter((node) =>
      /^(entries|dates)$/.test(node['Relation Name'] ?? ''),
    );
    expect(sideTables).not.toEqual([]);
    expect(sideTables.map((node) => node['Actual Loops'])).toEqual(sideTables.map(() => 1));
  }
});

test.each([0, 4])(
  'the end of a transaction of the host looks at its own versions only, each a few times, with %i partitions',
  async (partitions) => {
    const schema = `host_places_${partitions}`;
    const store = openPostgresStore({ pool, schema, partitions });
    const others = Array.from({ length: 2000 }, (_, n) =>
      change({ id: `before-${n}`, patientId: `${n % 20}` }),
    );
    await write(store, ...others);
    await pool.query('analyze');
    const client = await pool.connect();
    /** The rows of the large tables that the transaction has looked at. */
    const countRows = async (): Promise<number> => {
      const { rows } = await client.query(
        `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as count
        from pg_stat_xact_user_tables where schemaname = $1 and relname ~ '^(versions|records|searchable|entries|dates)'`,
        [schema],
      );
      return rows[0].count;
    };
    const rowsOfEnd = (versions: number) =>
      inTransaction(client, async (tx) => {
        const changes = Array.from({ length: versions }, (_, n) =>
          change({ id: `${versions}-${n}`, patientId: `${n}` }),
        );
        await write(tx.join(store), ...changes);
        const before = await countRows();
        await client.query('set constraints all immediate');
        return (await countRows()) - before;
      });
    await rowsOfEnd(1);
    const [few, many] = [await rowsOfEnd(10), await rowsOfEnd(300)];
    client.release();
    expect(few).toBeGreaterThan(0);
    expect(few).toBeLessThan(200);
    expect(many).toBeLessThan(40 * few);
  },
);

test.each([
  ['a new version', (store: ClinicalStore, next: RecordChange) => write(store, next)],
  [
    'reindexing',
    (store: ClinicalStore, next: RecordChange) =>
      resultOf(store.commit({ changes: [], versionChecks: [], reindexing: { records: [next] } })),
  ],
])('%s compares no index entry with all others', async (schema, writeNext) => {
  const entries = 300;
  const teamAt = (first: number) =>
    change({
      index: Array.from({ length: entries }, (_, n) => first + n).flatMap((n) => [
        { kind: 'token', parameter: 'participant', system: '', code: `${n}` },
        { kind: 'date', parameter: 'due', from: n, until: n + 1 },
      ]),
    });
  const rows: number[] = [];
  const explaining = wrapPool(pool, async (client, query) => {
    if (!query.text.includes('old_entries')) return client.query(query);
    const explained = await client.query(`explain (analyze, format json) ${query.text}`, [
      ...(query.values ?? []),
    ]);
    rows.push(...nodesOf(explained.rows[0]['QUERY PLAN'][0].Plan).map(rowsOf));
    return { ...explained, rows: [] };
  });
  await write(openPostgresStore({ pool, schema }), teamAt(0));
  await pool.query('analyze');
  await writeNext(openPostgresStore({ pool: explaining, schema }), teamAt(1));
  expect(Math.max(...rows)).toBeGreaterThanOrEqual(entries);
  expect(Math.max(...rows)).toBeLessThan(4 * entries);
});

test('no statement of a commit is compiled, which would take longer than to run it', async () => {
  const jit: unknown[] = [];
  const showJit = async (client: pg.ClientBase) => jit.push((await client.query('show jit')).rows[0].jit);
  const store = openPostgresStore({
    schema: 'whole',
    pool: wrapPool(pool, async (client, query) => {
      if (query.text === 'commit') await showJit(client);
      return client.query(query);
    }),
  });
  await write(store, change({ id: '100-7' }));
  expect(jit).toEqual(['off']);
});

test('the statement that writes new records is too cheap to be compiled, even before tables are analyzed', async () => {
  const queries: PostgresQuery[] = [];
  const store = openPostgresStore({ pool: watch(queries), schema: 'not_analyzed' });
  await write(store, change());
  const [query] = queries.filter(
    ({ text }) => text.startsWith('/* clinical-records: commit') && text.includes('new_records'),
  );
  if (query === undefined) throw new Error('One statement must write new records.');
  const { rows } = await pool.query('show jit_above_cost');
  expect((await planOf(pool, query, 'costs'))['Total Cost']).toBeLessThan(rows[0].jit_above_cost / 100);
});

/** Takes the statistics of tables as autovacuum does: once they have had so many changes. */
const analyzeAsAutovacuum = async (schema: string): Promise<void> => {
  const { rows } = await pool.query(
    `select oid::regclass::text as table, coalesce(
        (select option_value::integer from pg_options_to_table(reloptions)
          where option_name = 'autovacuum_analyze_threshold'),
        current_setting('autovacuum_analyze_threshold')::integer
      ) as threshold
      from pg_class where relnamespace = $1::regnamespace and relkind = 'r'`,
    [schema],
  );
  for (const { table, threshold } of rows) {
    const { rowCount } = await pool.query(`select from ${table}`);
    if (rowCount !== null && rowCount > threshold) await pool.query(`analyze ${table}`);
  }
};

test.each([60, 1100])(
  'a record among the first %i is read by indexes, so that the plan also suits a clinic that grows fast',
  async (count) => {
    const schema = `first_${count}`;
    const queries: PostgresQuery[] = [];
    const store = openPostgresStore({ pool: watch(queries), schema });
    await write(
      store,
      ...Array.from({ length: count }, (_, n) => change({ id: `${n}`, patientId: `p${n}` })),
    );
    await analyzeAsAutovacuum(schema);
    queries.length = 0;
    await resultOf(store.read({ type: 'Goal', id: '1' }));
    const nodes = (await Promise.all(queries.splice(0).map((query) => explain(pool, query)))).flat();
    expect(nodes.length).toBeGreaterThan(0);
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
  },
);
