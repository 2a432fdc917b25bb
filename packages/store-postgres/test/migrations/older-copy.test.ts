import type { ClinicalStore } from '@clinical-records/core/store';
import { expect, test } from 'vitest';
import { openPostgresStore } from '../../src/index.ts';
import { change, resultOf, write } from '../store-helpers.ts';
import { newPool } from '../tenants/databases.ts';

const pool = await newPool({ pipeline: true });

const codeEntry = { kind: 'token', parameter: 'description', system: '', code: 'walk' } as const;

/** Makes the tables what they were after the first version. A standby that lacks the last commits becomes the primary. */
const goBackToFirst = (schema: string) =>
  pool.query(`
    delete from ${schema}.terms; delete from ${schema}.entries;
    delete from ${schema}.searchable where record > 1; delete from ${schema}.records where position > 1;
    delete from ${schema}.versions where position > 1; update ${schema}.counts set readable = 1;
    update ${schema}.head set position = 1, digest = (select digest from ${schema}.versions)`);

const findWalks = async (store: ClinicalStore) => {
  const condition = {
    on: 'token',
    parameter: 'description',
    anyOf: [{ system: null, code: 'walk' }],
  } as const;
  const query = { type: 'Goal', conditions: [condition], start: { offset: 0 }, count: 10, withTotal: true };
  return (await resultOf(store.search(query))).matches.map(({ id }) => id);
};

test.each([0, 1, 2])(
  'what is written to an older copy of the database is found there, also after %i versions of others',
  async (others) => {
    const schema = `older_${others}`;
    const [store, other] = [openPostgresStore({ pool, schema }), openPostgresStore({ pool, schema })];
    await write(store, change());
    await write(store, change({ id: 'lost', index: [codeEntry] }));
    expect(await findWalks(store)).toEqual(['lost']);
    await goBackToFirst(schema);
    for (let nth = 0; nth < others; nth += 1) await write(other, change({ id: `other-${nth}` }));
    await write(store, change({ id: 'kept', index: [codeEntry] }));
    expect(await findWalks(store)).toEqual(['kept']);
    await write(store, change({ id: 'next', index: [codeEntry] }));
    expect(await findWalks(other)).toEqual(['kept', 'next']);
  },
);
