import type { ClinicalStore, StoreError } from '@clinical-records/core';
import type { SqliteDatabase } from './database.ts';

/** What is amiss with a transaction, so that nothing can be done in it any more; null while it is open. */
export type Amiss = () => StoreError | null;

type Joinable = { readonly database: SqliteDatabase; readonly join: (amiss: Amiss) => ClinicalStore };

/** How the stores that are open take part in a transaction of their host. */
const joinables = new WeakMap<ClinicalStore, Joinable>();

export const makeJoinable = (store: ClinicalStore, joinable: Joinable): ClinicalStore => {
  joinables.set(store, joinable);
  return store;
};

/** A store whose reads and commits are part of a transaction that is open on its handle. */
export const joined = (store: ClinicalStore, database: SqliteDatabase, amiss: Amiss): ClinicalStore => {
  const joinable = joinables.get(store);
  if (joinable?.database !== database) {
    throw new Error('Only a store that openSqliteStore opened on the same handle can join the transaction.');
  }
  return joinable.join(amiss);
};
