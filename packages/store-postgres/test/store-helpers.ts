import {
  anyVersion,
  type ClinicalStore,
  type RecordChange,
  type StoreOutcome,
} from '@clinical-records/core/store';
import { isLeft } from 'fp-ts/lib/Either.js';
import type pg from 'pg';
import { inTransaction } from '../src/index.ts';

export const ref = { type: 'Goal', id: 'a' };

/** The SQL of a statement, without the comment that says which call it belongs to. */
export const sqlOf = ({ text }: { readonly text: string }): string =>
  text.replace(/^\/\*.*?\*\//, '').trimStart();

export const change = (overrides: Partial<RecordChange> = {}): RecordChange => ({
  ...ref,
  patientId: 'p',
  at: 1,
  by: null,
  state: '{}',
  resource: '{}',
  index: [],
  expects: anyVersion,
  ...overrides,
});

export const resultOf = async <A>(called: StoreOutcome<A>): Promise<A> => {
  const outcome = await called;
  if (isLeft(outcome)) throw new Error(`The store returned ${JSON.stringify(outcome.left)}.`);
  return outcome.right;
};

export const write = (store: ClinicalStore, ...changes: readonly RecordChange[]) =>
  resultOf(store.commit({ changes, versionChecks: [] }));

/** Writes in a transaction of a host, which undoes all of it by a savepoint. */
export const writeAndUndo = async (pool: pg.Pool, store: ClinicalStore): Promise<void> => {
  const client = await pool.connect();
  await inTransaction(client, async (tx) => {
    await client.query('savepoint before');
    await write(tx.join(store), change());
    await client.query('rollback to savepoint before');
  });
  client.release();
};
