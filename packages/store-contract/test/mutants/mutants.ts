import { commitMutants } from './commits.ts';
import { expectationMutants } from './expectations.ts';
import { followingMutants } from './following.ts';
import { feedMutants, historyMutants } from './histories.ts';
import { indexMutants } from './indexes.ts';
import { momentMutants } from './moments.ts';
import type { Mutant } from './mutant.ts';
import { pageMutants } from './pages.ts';
import { readingMutants } from './readings.ts';
import { searchMutants } from './searches.ts';
import { closingMutants, taskMutants } from './tasks.ts';
import { textMutants } from './texts.ts';

/** Stores that look right, each with a fault that some store once had or could well have. */
export const mutants: readonly Mutant[] = [
  ...taskMutants,
  ...expectationMutants,
  ...commitMutants,
  ...readingMutants,
  ...searchMutants,
  ...pageMutants,
  ...indexMutants,
  ...historyMutants,
  ...feedMutants,
  ...followingMutants,
  ...momentMutants,
  ...textMutants,
  ...closingMutants,
];
