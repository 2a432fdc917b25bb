import type { ClinicalStore } from '@clinical-records/core/store';

/** A test that a store does not pass. */
export type SkippedTest = {
  /** The full title of the test. */
  readonly test: string;
  /** Why the store does not pass it. */
  readonly reason: string;
};

/** The store to test, and how to open it. */
export type StoreContractOptions = {
  /** The name under which the tests are reported. */
  readonly name: string;
  /** Returns an empty store. It is called for each test, and more than once for some tests. */
  readonly open: () => ClinicalStore | Promise<ClinicalStore>;
  /** Removes everything that was opened since the last call. The stores are closed by then. Runs after each test. */
  readonly remove?: () => void | Promise<void>;
  /** The tests that this store does not pass, by their full titles, and the reasons. An unknown title is an error. */
  readonly skip?: readonly SkippedTest[];
};
