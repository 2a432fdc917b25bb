import type { StoreContractOptions } from '../../../store-contract/src/index.ts';

/** What a store says that cannot do something. */
export const skippedTests: Pick<StoreContractOptions, 'skip'> = {
  // #region skip
  skip: [{ test: 'very long texts are stored unchanged', reason: 'a row of this database ends at 1 MB' }],
  // #endregion
};
