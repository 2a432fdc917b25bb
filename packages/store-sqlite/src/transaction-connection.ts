import { ClinicalRecordsError } from '@clinical-records/core';
import type { StoreError, TransactionConnection } from '@clinical-records/core/store';
import type { SqliteHandle } from './database.ts';
import { toSqliteDatabase } from './driver.ts';

/** Runs SQL on the connection of a transaction, and returns the rows. */
export type HostQuery = (text: string, values: readonly (string | null)[]) => PromiseLike<unknown>;

/** The connection of a transaction, as `resolve` gets it, with a function that returns the rows of a query. */
export const queriesOf = (transaction: unknown, query: HostQuery): TransactionConnection => ({
  query: async (text, values = []) => ({
    rows: (await query(text, values)) as readonly Readonly<Record<string, unknown>>[],
  }),
  transaction,
});

/** The connection of a transaction on a handle, while `check` returns no error. */
export const queriesOn = (handle: SqliteHandle, check: () => StoreError | null): TransactionConnection => {
  const database = toSqliteDatabase(handle);
  return queriesOf(handle, async (text, values) => {
    const refusal = check();
    if (refusal !== null) throw new ClinicalRecordsError(refusal);
    return database.prepare(text).all(...values);
  });
};
