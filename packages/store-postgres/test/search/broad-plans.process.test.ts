import {
  type DatePrefix,
  matches,
  type PositiveCondition,
  type SearchCondition,
  type SearchQuery,
} from '@clinical-records/core/store';
import { findDebianBinaries, startPostgres } from '@clinical-records/testing-postgres';
import type pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { openPostgresStore, type PostgresQuery } from '../../src/index.ts';
import { wrapPool } from '../host/wrap-pool.ts';
import { resultOf, sqlOf, write } from '../store-helpers.ts';
import { newPool, openPool } from '../tenants/databases.ts';
import { day, generateOrders, isToken, not, since } from './generated-orders.ts';

const orders = [...generateOrders(12_000)];

const active = isToken('status', 'active');
const completed = isToken('status', 'completed');
const laboratory = isToken('category', '108252007');
const panel = isToken('code', '0', 'http://loinc.org');
const rareCode = isToken('code', '79', 'http://loinc.org');
const ofLoinc = isToken('code', null, 'http://loinc.org');
const routine = isToken('priority', 'routine');
const recently = since('authored', 4990 * day);
const forYears = since('authored', 200 * day);
const hasOccurrence: SearchCondition = { on: 'entry', kind: 'date', parameter: 'occurrence' };
const anyRequester: PositiveCondition = { on: 'entry', kind: 'reference', parameter: 'requester' };
const aRequester: SearchCondition = {
  on: 'reference',
  parameter: 'requester',
  anyOf: [{ type: 'Practitioner', id: '108252007-0' }],
};

/** Searches that name no patient. */
const searches: readonly (readonly [name: string, conditions: readonly SearchCondition[]])[] = [
  ['a frequent code', [completed]],
  ['a code that is excluded', [not(completed)]],
  ['two codes that exclude each other', [isToken('category', '363679005'), panel]],
  ['two codes that nearly always come together', [completed, laboratory]],
  ['a frequent code and a rare one', [completed, rareCode]],
  ['a code and all codes of a system', [active, ofLoinc]],
  ['a code and a late date', [active, recently]],
  ['a code and the absence of a date', [active, { on: 'not', condition: hasOccurrence }]],
  ['the absence of a requester', [not(anyRequester)]],
  ['a code and any requester', [completed, anyRequester]],
  ['a code, a requester and a date', [completed, aRequester, forYears]],
  ['three codes and a date', [active, laboratory, panel, forYears]],
  ['three frequent codes and a date', [completed, laboratory, panel, forYears]],
  ['three codes, one excluded, and a date', [laboratory, panel, not(completed), forYears]],
  ['four codes and a date', [active, laboratory, ofLoinc, routine, forYears]],
  [
    'five codes, two of them excluded, and a date',
    [
      laboratory,
      ofLoinc,
      not(active),
      not(isToken('priority', 'stat')),
      isToken('intent', 'order'),
      forYears,
    ],
  ],
];

const changedSince: SearchCondition = { on: 'at', anyOf: [{ prefix: 'ge', from: 1, until: 2 }] };

/** Those with a condition for which no table has a list, so that each record of another condition or of the type is looked at. */
const searchesOfRows: typeof searches = [
  ['a frequent code and the time of the version', [laboratory, changedSince]],
  ['a rare code and the time of the version', [rareCode, changedSince]],
  ['the time of the version', [changedSince]],
];

const committed = (prefix: DatePrefix, from: number, until = from + 1): SearchCondition => ({
  on: 'at',
  anyOf: [{ prefix, from, until }],
});

/** Searches for the versions of a short time, such as those that a client asks for again and again. */
const searchesOfTime: typeof searches = [
  ['a time behind the last version', [committed('ge', orders.length + 1)]],
  ['the last of the versions', [committed('gt', orders.length - 40)]],
  ['the time of a version', [committed('eq', 6000)]],
  ['the first of the versions', [committed('le', 40)]],
  ['a frequent code and the last of the versions', [laboratory, committed('ge', orders.length - 40)]],
  [
    'a code that is excluded and the last of the versions',
    [not(laboratory), committed('sa', orders.length - 40)],
  ],
];

const debian = findDebianBinaries(15);

const openServer15 = async () => {
  if (debian === null) return null;
  const server = await startPostgres({ settings: { fsync: 'off' }, binaries: debian });
  afterAll(server.stop);
  return openPool(server.url, { max: 2 });
};

/** A store with the orders, and the queries that run on it. Without statistics, PostgreSQL has never looked at its tables. */
const openFilled = async (pool: pg.Pool, { partitions = 0, hasStatistics = true } = {}) => {
  const queries: PostgresQuery[] = [];
  const watched = wrapPool(pool, (client, query) => {
    queries.push(query);
    return client.query(query);
  });
  const store = openPostgresStore({ pool: watched, partitions });
  for (let at = 0; at < orders.length; at += 2000) await write(store, ...orders.slice(at, at + 2000));
  if (hasStatistics) await pool.query('vacuum analyze');
  return { pool, store, queries, maxBuffers: orders.length / (hasStatistics ? 10 : 2) };
};

type Filled = Awaited<ReturnType<typeof openFilled>>;

/** The pages of 8 kB that the queries of a search have looked at. */
const countBuffers = async ({ pool, queries }: Filled): Promise<number> => {
  let buffers = 0;
  for (const { text, values = [] } of queries.splice(0)) {
    if (!/^(select|with)/.test(sqlOf({ text })) || text.includes('set_config')) continue;
    const { rows } = await pool.query(`explain (analyze, buffers, format json) ${text}`, [...values]);
    const { Plan: plan } = rows[0]['QUERY PLAN'][0];
    buffers += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  }
  return buffers;
};

const server15 = await openServer15();

const filled: readonly (readonly [name: string, Filled | null])[] = [
  ['in one piece', await openFilled(await newPool({ max: 2 }))],
  ['in partitions', await openFilled(await newPool({ max: 2 }), { partitions: 4 })],
  ['without statistics', await openFilled(await newPool({ max: 2 }), { hasStatistics: false })],
  ['on PostgreSQL 15', server15 === null ? null : await openFilled(server15)],
];

describe.each(filled.filter((one): one is [string, Filled] => one[1] !== null))('tables %s', (_, server) => {
  test.each([
    ...searches.map((search) => [...search, server.maxBuffers] as const),
    ...searchesOfRows.map((search) => [...search, 3 * server.maxBuffers] as const),
    ...searchesOfTime.map((search) => [...search, 1000] as const),
  ])(
    'a search by %s reads little, whatever PostgreSQL expects, and finds what matches',
    async (_, conditions, maxBuffers) => {
      const query = { type: 'ServiceRequest', conditions };
      const ids = orders.filter((order) => matches(query)(order)).map(({ id }) => id);
      const search = (start: SearchQuery['start'], withTotal: boolean) =>
        resultOf(server.store.search({ ...query, start, count: 10, withTotal }));

      for (const withTotal of [true, false]) {
        server.queries.length = 0;
        await search({ offset: 0 }, withTotal);
        const buffers = await countBuffers(server);
        expect(buffers).toBeGreaterThan(0);
        expect(buffers).toBeLessThan(maxBuffers);
      }

      const middle = Math.floor(ids.length / 2);
      for (const withTotal of [true, false])
        for (const [start, from] of [
          [{ offset: 0 }, 0],
          [{ offset: middle }, middle],
          [{ after: ids[middle] ?? 'none' }, ids.length === 0 ? 0 : middle + 1],
        ] as const) {
          const page = await search(start, withTotal);
          expect(page.matches.map(({ id }) => id)).toEqual(ids.slice(from, from + 10));
          expect([page.hasMore, page.total]).toEqual([ids.length > from + 10, withTotal ? ids.length : null]);
        }
    },
  );
});
