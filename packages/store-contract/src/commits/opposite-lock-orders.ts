import {
  anyVersion,
  type ClinicalStore,
  type Commit,
  exactVersion,
  noVersion,
} from '@clinical-records/core/store';
import { isLeft } from 'fp-ts/lib/Either.js';
import { expect } from 'vitest';
import { change, commit } from '../builders.ts';
import type { TestTopic } from '../test-topic.ts';

/** Two transactions interfere in some rounds only. */
const rounds = Array.from({ length: 25 }, (_, index) => index);

const refsIn = (round: number, names: string) =>
  [...names].map((name) => ({ type: 'Immunization', id: `${name}-${round}` }));

const commitAtOnce = (store: ClinicalStore, ...commits: readonly Commit[]) =>
  Promise.all(commits.map((sent) => store.commit(sent)));

export const oppositeLockOrders: TestTopic = (test) => {
  for (const [name, expects] of [
    ['that a record is absent', noVersion],
    ['that a record is at its first version', exactVersion(1)],
  ] as const) {
    test(`of two commits that check ${name}, and that each change this record, exactly one succeeds`, async (store) => {
      for (const round of rounds) {
        const refs = refsIn(round, 'ab');
        if (expects !== noVersion) await commit(store, refs.map(change));
        const outcomes = await commitAtOnce(
          store,
          ...refs.map((ref) => ({
            changes: [change(ref)],
            versionChecks: refs
              .filter((checked) => checked !== ref)
              .map((checked) => ({ ...checked, expects })),
          })),
        );
        const summaries = outcomes.map((outcome) => (isLeft(outcome) ? outcome.left._tag : 'lands'));
        expect(summaries.toSorted()).toEqual(['Conflict', 'lands']);
      }
    });
  }

  test('two commits that name the same records in opposite orders both succeed', async (store) => {
    for (const round of rounds) {
      const changes = refsIn(round, 'abcdef').map(change);
      const versionChecks = refsIn(round, 'uvwxyz').map((ref) => ({ ...ref, expects: anyVersion }));
      const outcomes = await commitAtOnce(
        store,
        { changes, versionChecks },
        { changes: changes.toReversed(), versionChecks: versionChecks.toReversed() },
      );
      const summaries = outcomes.map((outcome) =>
        isLeft(outcome) ? outcome.left : outcome.right.toSorted(),
      );
      expect(summaries.toSorted()).toEqual([changes.map(() => 1), changes.map(() => 2)]);
    }
  });
};
