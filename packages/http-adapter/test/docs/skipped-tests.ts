import type { StoreContractOptions } from '../../../store-contract/src/index.ts';

/** The options of a store that lacks a feature. */
export const skippedTests: Pick<StoreContractOptions, 'skip'> = {
  // #region skip
  skip: [{ test: 'very long texts are stored unchanged', reason: 'a row of this database ends at 1 MB' }],
  // #endregion
};
