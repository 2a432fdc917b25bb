import { expect, test } from 'vitest';
import { beginTransaction } from '../src/transaction.ts';
import { newDatabase, openPool } from './tenants/databases.ts';

const url = await newDatabase();

test.each([
  { host: 0, shorter: '10s' },
  { host: 300, shorter: '300ms' },
  { host: 9_999, shorter: '9999ms' },
  { host: 120_000, shorter: '10s' },
])(
  "of the host's statement_timeout of $host ms and a limit of 10 s, the shorter one holds: $shorter",
  async ({ host, shorter }) => {
    const client = await openPool(url, { options: `-c statement_timeout=${host}` }).connect();
    for (const query of beginTransaction({ statement_timeout: 10_000 })) await client.query(query);
    expect((await client.query('show statement_timeout')).rows).toEqual([{ statement_timeout: shorter }]);
    await client.query('rollback');
    client.release();
  },
);
