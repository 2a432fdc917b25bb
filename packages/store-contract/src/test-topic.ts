import type { ClinicalStore } from '@clinical-records/core/store';

/** The timeout of a test in milliseconds. It is long, because the tests check results and not speed. */
export const testTimeout = 60_000;

/** Runs its argument on an empty store, and closes the store. */
export type WithStore = (body: (store: ClinicalStore) => Promise<void>) => Promise<void>;

/** The body of a test; `withStore` is for a test that needs more than one store. */
export type TestBody = (store: ClinicalStore, withStore: WithStore) => Promise<void>;

type TestRegistrar = (title: string, body: TestBody) => void;

export type TestTopic = (test: TestRegistrar) => void;
