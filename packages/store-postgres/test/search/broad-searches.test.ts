import type { SearchCondition, SearchQuery } from '@clinical-records/core/store';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { createTenant, openPostgresStore, primaryOf } from '../../src/index.ts';
import { change, resultOf, write } from '../store-helpers.ts';
import { newDatabase, openPool } from '../tenants/databases.ts';

const due: SearchCondition = { on: 'date', parameter: 'due', anyOf: [{ prefix: 'ge', from: 5, until: 6 }] };

const lately: SearchCondition = { on: 'at', anyOf: [{ prefix: 'ge', from: 1, until: 2 }] };

const query = (conditions: readonly SearchCondition[], start: SearchQuery['start']): SearchQuery => ({
  type: 'Goal',
  conditions,
  start,
  count: 1,
  withTotal: true,
});

const primaryOfOne = (pool: pg.Pool) => primaryOf([pool]);

test.each([
  { clients: 5, running: 4, wrap: (pool: pg.Pool) => pool },
  { clients: 3, running: 2, wrap: primaryOfOne },
  { clients: 2, running: 1, wrap: (pool: pg.Pool) => pool },
])(
  'of $clients clients, $running run searches that may look at many records, which delay no others, and too many of them are refused',
  async ({ clients, running, wrap }) => {
    const url = await newDatabase();
    const store = openPostgresStore({ pool: wrap(openPool(url, { max: clients, pipeline: true })) });
    const index = [{ kind: 'date', parameter: 'due', from: 5, until: 6 }] as const;
    await write(store, change({ id: 'a', index }), change({ id: 'b', index }));

    const host = await openPool(url).connect();
    await host.query('begin');
    await host.query('lock table clinical_records.dates in access exclusive mode');
    const broad = Array.from({ length: 37 }, () => store.search(query([due], { offset: 0 })));
    await expect(Promise.race(broad)).resolves.toMatchObject({ left: { _tag: 'Busy' } });

    for (const start of [{ offset: 0 }, { after: 'a' }]) {
      expect(await resultOf(store.search(query([], start)))).toMatchObject({ total: 2 });
    }
    expect(
      await resultOf(store.search(query([{ on: 'patient', anyOf: ['p'] }, lately], { offset: 0 }))),
    ).toMatchObject({ total: 2 });

    await host.query('rollback');
    host.release();
    const results = await Promise.all(broad);
    expect(results.filter((one) => one._tag === 'Right')).toHaveLength(running + 32);
    await store.close();
  },
);

test('the broad searches of all tenants together leave a client of their pool for other work', async () => {
  const url = await newDatabase();
  const pool = openPool(url, { max: 3, pipeline: true });
  const stores = [];
  for (const tenant of ['north', 'south']) {
    await createTenant({ pool, tenant });
    stores.push(openPostgresStore({ pool, tenant }));
  }
  for (const store of stores) await write(store, change());
  const host = await openPool(url).connect();
  await host.query('begin; lock table clinical_records.dates in access exclusive mode');
  const broad = stores.flatMap((store) =>
    Array.from({ length: 5 }, () => store.search(query([due], { offset: 0 }))),
  );
  for (const store of stores)
    expect(await resultOf(store.search(query([], { offset: 0 })))).toMatchObject({ total: 1 });
  await host.query('rollback');
  host.release();
  for (const result of await Promise.all(broad)) expect(result).toMatchObject({ right: { total: 0 } });
});
