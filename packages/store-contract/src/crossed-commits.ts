import { Absent, Any, type ClinicalStore, type Commit, Version } from '@clinical-records/core';
import { isLeft } from 'fp-ts/lib/Either.js';
import { expect } from 'vitest';
import { change, commit } from './builders.ts';
import type { Topic } from './topic.ts';

/** What two transactions do to each other happens in some rounds, and not in others. */
const rounds = Array.from({ length: 25 }, (_, at) => at);

const refsIn = (round: number, names: string) =>
  [...names].map((name) => ({ type: 'Immunization', id: `${name}-${round}` }));

const atOnce = (store: ClinicalStore, ...commits: readonly Commit[]) =>
  Promise.all(commits.map((one) => store.commit(one)()));

export const crossedCommits: Topic = (test) => {
  for (const [name, expects] of [
    ['that a record is absent', Absent],
    ['that a record is at its first version', Version(1)],
  ] as const) {
    test(`of two commits with the premise ${name}, which each of them breaks, exactly one succeeds`, async (store) => {
      for (const round of rounds) {
        const refs = refsIn(round, 'ab');
        if (expects !== Absent) await commit(store, refs.map(change));
        const outcomes = await atOnce(
          store,
          ...refs.map((ref) => ({
            changes: [change(ref)],
            premises: refs.filter((other) => other !== ref).map((other) => ({ ...other, expects })),
          })),
        );
        const told = outcomes.map((one) => (isLeft(one) ? one.left._tag : 'lands'));
        expect(told.toSorted()).toEqual(['Conflict', 'lands']);
      }
    });
  }

  test('two commits that name the same records in opposite orders both land', async (store) => {
    for (const round of rounds) {
      const changes = refsIn(round, 'abcdef').map(change);
      const premises = refsIn(round, 'uvwxyz').map((ref) => ({ ...ref, expects: Any }));
      const outcomes = await atOnce(
        store,
        { changes, premises },
        { changes: changes.toReversed(), premises: premises.toReversed() },
      );
      const told = outcomes.map((one) => (isLeft(one) ? one.left : one.right.toSorted()));
      expect(told.toSorted()).toEqual([changes.map(() => 1), changes.map(() => 2)]);
    }
  });
};
