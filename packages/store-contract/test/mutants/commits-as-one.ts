import { isLeft, left, right } from 'fp-ts/lib/Either.js';
import { expectAny } from './commits.ts';
import { mutant } from './mutant.ts';

export const commitsAsOneMutants = [
  mutant(
    'several commits that are written one by one, up to the first that is refused',
    'nothing of several commits is written if one of them is refused, and the conflict names its record',
    (store) => ({
      commitAll: async (commits) => {
        const written: (readonly number[])[] = [];
        for (const commit of commits) {
          const outcome = await store.commit(commit);
          if (isLeft(outcome)) return outcome;
          written.push(outcome.right);
        }
        return right(written);
      },
    }),
  ),
  mutant(
    'several commits of which only the last version of a record is written',
    'several commits are written one after the other, each on the versions of those before it',
    (store) => ({
      commitAll: async (commits) => {
        const last = new Map(
          commits.flatMap(({ changes }) => changes).map((one) => [one.id, expectAny(one)]),
        );
        const outcome = await store.commit({ changes: [...last.values()], versionChecks: [] });
        if (isLeft(outcome)) return outcome;
        return right(commits.map(({ changes }) => changes.map(() => 1)));
      },
    }),
  ),
  mutant(
    'commits that stay if a write of the host fails',
    'a write of the host that fails undoes everything, or the store refuses such writes',
    (store) => ({
      commitAll: async (commits, writes) => {
        const outcome = await store.commitAll(commits, []);
        return writes.length === 0 ? outcome : left({ _tag: 'Misuse', message: 'Too late.' });
      },
    }),
  ),
];
