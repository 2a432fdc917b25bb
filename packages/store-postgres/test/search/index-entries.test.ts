import type { ClinicalStore, IndexEntry, RecordChange } from '@clinical-records/core/store';
import { describe, expect, test } from 'vitest';
import { inTransaction, openPostgresStore } from '../../src/index.ts';
import { change, resultOf, write } from '../store-helpers.ts';
import { newPool } from '../tenants/databases.ts';

const pool = await newPool({ pipeline: true });

const token = (code: string): IndexEntry => ({ kind: 'token', parameter: 'status', system: '', code });
const member = (id: string): IndexEntry => ({
  kind: 'reference',
  parameter: 'participant',
  type: 'Practitioner',
  id,
});
const date = (from: number, until: number): IndexEntry => ({ kind: 'date', parameter: 'due', from, until });
const many = Array.from({ length: 50 }, (_, number) => member(`p${number}`));

type Write = (store: ClinicalStore, next: RecordChange) => Promise<unknown>;

/** The ways in which a record gets other index entries. */
const ways: readonly (readonly [name: string, write: Write])[] = [
  ['a new version', write],
  [
    'a new version in a transaction of the host',
    async (store, next) => {
      const client = await pool.connect();
      await inTransaction(client, (tx) => write(tx.join(store), next));
      client.release();
    },
  ],
  [
    'reindexing',
    (store, next) =>
      resultOf(store.commit({ changes: [], versionChecks: [], reindexing: { records: [next] } })),
  ],
];

let schemas = 0;

/** Opens a store with a record, and returns what reads the rows of its index: their places, writers and contents. */
const openWith = async (index: readonly IndexEntry[]) => {
  const schema = `index_entries_${++schemas}`;
  const store = openPostgresStore({ pool, schema });
  await write(store, change({ index }));
  const rowsOf = async (table: string): Promise<readonly string[]> => {
    const { rows } = await pool.query(
      `select concat_ws(' ', ctid, xmin, written) as row from ${schema}.${table} as written order by row`,
    );
    return rows.map(({ row }) => row);
  };
  return { schema, store, rowsOf: async () => [...(await rowsOf('entries')), ...(await rowsOf('dates'))] };
};

const indexOf = async (store: ClinicalStore) =>
  (await resultOf(store.scan({ limit: 1 })))[0]?.index.map((entry) => JSON.stringify(entry)).sort();

describe.each(ways)('%s', (_, writeNext) => {
  test('does not write index entries again that stay', async () => {
    const entries = [token('active'), date(1, 2), ...many];
    const { store, rowsOf } = await openWith(entries);
    const before = await rowsOf();
    expect(before).toHaveLength(entries.length);
    await writeNext(store, change({ index: entries.toReversed() }));
    expect(await rowsOf()).toEqual(before);
  });

  test('deletes index entries that leave, and adds those that come', async () => {
    const stay = [date(1, 2), ...many.slice(1)];
    const { store, rowsOf } = await openWith([token('active'), date(0, 2), ...stay, ...many]);
    const before = await rowsOf();
    const come = [token('completed'), date(1, 3), member('new')];
    await writeNext(store, change({ index: [...come, ...stay, date(1, 2)] }));
    const after = await rowsOf();
    expect(after.filter((row) => before.includes(row))).toHaveLength(stay.length);
    expect(after).toHaveLength(stay.length + come.length);
    expect(await indexOf(store)).toEqual([...come, ...stay].map((entry) => JSON.stringify(entry)).sort());
  });

  test('adds index entries again that the database has lost', async () => {
    const entries = [token('active'), date(1, 2)];
    const { schema, store, rowsOf } = await openWith(entries);
    await pool.query(`delete from ${schema}.entries; delete from ${schema}.dates`);
    await writeNext(store, change({ index: entries }));
    expect(await rowsOf()).toHaveLength(entries.length);
    expect(await indexOf(store)).toEqual(entries.map((entry) => JSON.stringify(entry)).sort());
  });
});

test.each([
  ['loses its resource', { resource: null }, 0],
  ['belongs to another patient', { patientId: 'q' }, 2],
] as const)('no index entry stays of a record that %s', async (_, overrides, count) => {
  const index = [token('active'), date(1, 2)];
  const { store, rowsOf } = await openWith(index);
  const before = await rowsOf();
  await write(store, change({ index, ...overrides }));
  const after = await rowsOf();
  expect(after).toHaveLength(count);
  expect(after.filter((row) => before.includes(row))).toEqual([]);
});
