import type { ClinicalStore } from '@clinical-records/core';

/** The store to be held to the contract. */
export type StoreContractOptions = {
  /** The name under which the tests are reported. */
  readonly name: string;
  /** Answers an empty store. It is called anew for each test, and more than once for some. */
  readonly open: () => ClinicalStore | Promise<ClinicalStore>;
  /** Removes what was opened since it was last called; the stores are closed by then. Runs after each test. */
  readonly remove?: () => void | Promise<void>;
  /** Tests that this store does not pass, by their full names, and why. A name that no test has is an error. */
  readonly skip?: readonly { readonly test: string; readonly reason: string }[];
};
