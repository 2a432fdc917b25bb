import { expect, test } from 'vitest';
import type { PostgresClient, PostgresResult } from '../../src/index.ts';
import { runQuery } from '../../src/transaction.ts';

const result: PostgresResult = { command: 'SELECT', rows: [{ id: '7' }] };
const failure = new Error('The table does not exist.');

type Callback = (error: Error | null, result: PostgresResult) => void;

const createClient = (query: (query: unknown, callback: Callback) => unknown) =>
  ({ query }) as PostgresClient;

const clients = [
  [
    'calls back',
    createClient((_, callback) => callback(null, result)),
    createClient((_, callback) => callback(failure, result)),
  ],
  [
    'returns a promise',
    createClient(() => Promise.resolve(result)),
    createClient(() => Promise.reject(failure)),
  ],
] as const;

test.each(clients)('a query has the outcome of a client that %s', async (_, succeeding, failing) => {
  await expect(runQuery(succeeding, { text: 'select' })).resolves.toBe(result);
  await expect(runQuery(failing, { text: 'select' })).rejects.toBe(failure);
});
