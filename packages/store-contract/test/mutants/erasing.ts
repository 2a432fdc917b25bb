import { anyVersion, type RecordChange } from '@clinical-records/core/store';
import { type Mutant, mutant, rewriteChanges } from './mutant.ts';

const rewriteErasures = (rewrite: (erasure: RecordChange) => RecordChange) =>
  rewriteChanges((change) => (change.priorStates === undefined ? change : rewrite(change)));

export const erasingMutants: readonly Mutant[] = [
  mutant(
    'an erasure that leaves the earlier versions as they are',
    'after an erasure, no function returns the replaced texts',
    rewriteErasures(({ priorStates: _, ...change }) => change),
  ),
  mutant(
    'an erasure whatever the version is',
    'an erasure that expects another version is a conflict, and erases nothing',
    rewriteErasures((change) => ({ ...change, expects: anyVersion })),
  ),
];
