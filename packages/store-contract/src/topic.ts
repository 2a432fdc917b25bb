import type { ClinicalStore } from '@clinical-records/core';

/** Registers a test that is given an empty store, which is closed for it. */
export type StoreTest = (name: string, body: (store: ClinicalStore) => Promise<void>) => void;

/** Some tests that belong together; `withStore` is for those that need a store more than once. */
export type Topic = (
  test: StoreTest,
  withStore: (body: (store: ClinicalStore) => Promise<void>) => Promise<void>,
) => void;
