import { callMutants, closingMutants } from './calls.ts';
import { commitMutants } from './commits.ts';
import { commitsAsOneMutants } from './commits-as-one.ts';
import { consistentReadMutants } from './consistent-reads.ts';
import { erasingMutants } from './erasing.ts';
import { expectationMutants } from './expectations.ts';
import { feedMutants, historyMutants } from './histories.ts';
import { indexMutants } from './indexes.ts';
import type { Mutant } from './mutant.ts';
import { pageMutants } from './pages.ts';
import { readingWhileWritingMutants } from './reading-while-writing.ts';
import { reindexingMutants } from './reindexing.ts';
import { resourceReadMutants } from './resource-reads.ts';
import { searchMutants } from './searches.ts';
import { textMutants } from './texts.ts';

/** Stores that look right, each with a fault that some store once had or could well have. */
export const mutants: readonly Mutant[] = [
  ...callMutants,
  ...expectationMutants,
  ...commitMutants,
  ...commitsAsOneMutants,
  ...resourceReadMutants,
  ...searchMutants,
  ...pageMutants,
  ...indexMutants,
  ...reindexingMutants,
  ...erasingMutants,
  ...historyMutants,
  ...feedMutants,
  ...readingWhileWritingMutants,
  ...consistentReadMutants,
  ...textMutants,
  ...closingMutants,
];
