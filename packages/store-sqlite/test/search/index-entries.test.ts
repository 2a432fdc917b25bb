import type { IndexEntry, RecordChange } from '@clinical-records/core/store';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../src/index.ts';
import { change, resultOf, write } from '../store-helpers.ts';

const token = (code: string): IndexEntry => ({ kind: 'token', parameter: 'status', system: '', code });
const member = (id: string): IndexEntry => ({
  kind: 'reference',
  parameter: 'participant',
  type: 'Practitioner',
  id,
});
const date = (from: number, until: number): IndexEntry => ({ kind: 'date', parameter: 'due', from, until });

/** Counts the rows that a change of a record inserts into the table of the index, and deletes from it. */
const countWritten = async (
  before: readonly IndexEntry[],
  after: Partial<RecordChange> & { readonly reindex?: true },
) => {
  const database = new Database(':memory:');
  const store = openSqliteStore({ database });
  await write(store, change({ index: before }));
  database.exec('CREATE TEMP TABLE written (what TEXT)');
  for (const event of ['INSERT', 'UPDATE', 'DELETE'])
    database.exec(
      `CREATE TEMP TRIGGER ${event}_of_entries AFTER ${event} ON main.entries BEGIN INSERT INTO written VALUES ('${event}'); END`,
    );
  const { reindex, ...overrides } = after;
  const next = change(overrides);
  if (reindex) {
    const reindexing = { records: [next] };
    await resultOf(store.commit({ changes: [], versionChecks: [], reindexing }));
  } else await write(store, next);
  const [{ index } = { index: [] }] = await resultOf(store.scan({ limit: 1 }));
  const written = database.prepare('SELECT what FROM written ORDER BY what').pluck();
  return { written: written.all(), index };
};

const many = Array.from({ length: 50 }, (_, number) => member(`p${number}`));

test.each([{}, { reindex: true }] as const)(
  'index entries that stay are not written again: %o',
  async (how) => {
    const entries = [token('active'), date(1, 2), ...many];
    expect(await countWritten(entries, { index: entries.toReversed(), ...how })).toMatchObject({
      written: [],
    });
  },
);

test.each([{}, { reindex: true }] as const)(
  'only index entries that come or go are written: %o',
  async (how) => {
    const after = [token('completed'), date(1, 3), date(1, 2), date(1, 2), ...many.slice(1), member('new')];
    const { written, index } = await countWritten([token('active'), date(1, 2), date(0, 2), ...many], {
      index: after,
      ...how,
    });
    expect(written).toEqual([...['DELETE', 'DELETE', 'DELETE'], ...['INSERT', 'INSERT', 'INSERT']]);
    const expected = [token('completed'), date(1, 3), date(1, 2), ...many.slice(1), member('new')];
    expect(index).toHaveLength(expected.length);
    expect(index).toEqual(expect.arrayContaining(expected));
  },
);

test('all index entries of a record that loses its resource are deleted', async () => {
  const { written, index } = await countWritten([token('active'), date(1, 2)], {
    resource: null,
    index: [token('active')],
  });
  expect(written).toEqual(['DELETE', 'DELETE']);
  expect(index).toEqual([]);
});
