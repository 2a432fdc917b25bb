import type { ClinicalStore } from '@clinical-records/core/store';
import { inTransaction, type SqliteDatabase } from '../src/index.ts';

/** Does what joins a transaction of the host, which is then undone. */
export const runAndRollBack = async (
  database: SqliteDatabase,
  store: ClinicalStore,
  work: (inside: ClinicalStore) => Promise<unknown>,
): Promise<void> => {
  const betterNot = new Error('the host thinks better of it');
  const rolledBack = inTransaction(database, async (tx) => {
    await work(tx.join(store));
    throw betterNot;
  });
  await rolledBack.catch((cause) => {
    if (cause !== betterNot) throw cause;
  });
};
