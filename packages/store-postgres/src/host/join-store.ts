import type { ClinicalStore } from '@clinical-records/core/store';
import type { OpenTransaction } from './open-transaction.ts';

/** How each open store joins a transaction of its host. */
const joiners = new WeakMap<ClinicalStore, (transaction: OpenTransaction) => ClinicalStore>();

export const makeJoinable = <Store extends ClinicalStore>(
  store: Store,
  join: (transaction: OpenTransaction) => ClinicalStore,
): Store => {
  joiners.set(store, join);
  return store;
};

/** A store whose reads and commits are part of an open transaction. */
export const joinStore = (store: ClinicalStore, transaction: OpenTransaction): ClinicalStore => {
  const join = joiners.get(store);
  if (join === undefined) {
    throw new Error('Only a store that openPostgresStore opened can join the transaction.');
  }
  return join(transaction);
};
