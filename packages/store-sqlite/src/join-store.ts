import type { ClinicalStore, StoreError } from '@clinical-records/core/store';
import type { SqliteDatabase } from './database.ts';

/** The error of a transaction in which nothing can be done any more; null while it is open. */
export type AvailabilityCheck = () => StoreError | null;

type TransactionJoiner = {
  readonly database: SqliteDatabase;
  readonly join: (check: AvailabilityCheck) => ClinicalStore;
};

/** How each open store joins a transaction of its host. */
const joiners = new WeakMap<ClinicalStore, TransactionJoiner>();

export const makeJoinable = <Store extends ClinicalStore>(store: Store, joiner: TransactionJoiner): Store => {
  joiners.set(store, joiner);
  return store;
};

/** The handle of an open store. Throws for a store that `openSqliteStore` has not opened. */
export const databaseOf = (store: ClinicalStore): SqliteDatabase => {
  const joiner = joiners.get(store);
  if (joiner === undefined) throw new TypeError('store must be a store that openSqliteStore opened.');
  return joiner.database;
};

/** A store whose reads and commits are part of an open transaction on its handle. */
export const joinStore = (
  store: ClinicalStore,
  database: SqliteDatabase,
  check: AvailabilityCheck,
): ClinicalStore => {
  const joiner = joiners.get(store);
  if (joiner?.database !== database) {
    throw new Error('Only a store that openSqliteStore opened on the same handle can join the transaction.');
  }
  return joiner.join(check);
};
