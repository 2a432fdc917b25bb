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

test.each<[what: string, error: Error, sent: readonly string[]]>([
  ['its connection is lost', new Error('Connection terminated unexpectedly'), ['one']],
  ['a query is refused', Object.assign(new Error('division by zero'), { severity: 'ERROR' }), ['one', 'two']],
])('after %s, a client without a pipeline is sent what still can run', async (_, error, expected) => {
  const sent: unknown[] = [];
  const client = createClient((query) => {
    sent.push((query as { readonly text: string }).text);
    return Promise.reject(error);
  });
  const results = await Promise.allSettled(['one', 'two'].map((text) => runQuery(client, { text })));
  expect(results).toEqual([1, 2].map(() => ({ status: 'rejected', reason: error })));
  expect(sent).toEqual(expected);
});
