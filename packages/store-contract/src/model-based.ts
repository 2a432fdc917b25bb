import { isDeepStrictEqual } from 'node:util';
import {
  type ClinicalStore,
  type Commit,
  type Position,
  type SearchMatch,
  type SearchQuery,
  toStoredResource,
} from '@clinical-records/core/store';
import fc from 'fast-check';
import { isLeft } from 'fp-ts/lib/Either.js';
import { expect } from 'vitest';
import { type Step, steps } from './arbitraries.ts';
import { matchOf, readVersions, resultOf } from './builders.ts';
import {
  applyCommit,
  type CommitOutcome,
  currentRecords,
  findMatches,
  historyOf,
  type Model,
} from './model.ts';
import { withoutFeedPosition } from './reads/feed.ts';
import { sortedEntryTexts } from './reads/scan.ts';
import { type TestTopic, testTimeout } from './test-topic.ts';

const everything = 1000;

const tryCommit = async (store: ClinicalStore, commit: Commit): Promise<CommitOutcome> => {
  const outcome = await store.commit(commit);
  return isLeft(outcome) ? { error: outcome.left } : { versions: outcome.right };
};

/** All orders in which simultaneous commits may have been written. */
const ordersOf = (commits: readonly number[]): readonly (readonly number[])[] =>
  commits.length === 0
    ? [[]]
    : commits.flatMap((first) =>
        ordersOf(commits.filter((commit) => commit !== first)).map((rest) => [first, ...rest]),
      );

/** The model after commits in some order; null if their outcomes in that order would not be those of the store. */
const explainOutcomes =
  (commits: readonly Commit[], outcomes: readonly CommitOutcome[]) =>
  (model: Model) =>
  (order: readonly number[]): readonly Model[] => {
    let after = model;
    for (const index of order) {
      const [next, outcome] = applyCommit(after, commits[index] ?? { changes: [], versionChecks: [] });
      if (!isDeepStrictEqual(outcome, outcomes[index])) return [];
      after = next;
    }
    return [after];
  };

/** The models that agree with all results of the store. There are several while more than one order is possible. */
type PossibleModels = readonly Model[];

const filterAgreeing = <A>(
  possible: PossibleModels,
  actual: A,
  expected: (model: Model) => A,
): PossibleModels => {
  const remaining = possible.filter((model) => isDeepStrictEqual(actual, expected(model)));
  // Shows the difference, if there is one.
  if (remaining.length === 0) for (const model of possible) expect(actual).toEqual(expected(model));
  expect(remaining).not.toHaveLength(0);
  return remaining;
};

const positionAt = (all: readonly { position: Position }[], place: number): Position | undefined =>
  all[Math.min(place, all.length) - 1]?.position;

const checkSearch = async (
  store: ClinicalStore,
  possible: PossibleModels,
  step: Extract<Step, { step: 'search' }>,
) => {
  const { type, conditions, count, place } = step;
  const ask = (start: SearchQuery['start'], limit: number) =>
    resultOf(store.search({ type, conditions, start, count: limit, withTotal: true }));
  const all = (await ask({ offset: 0 }, everything)).matches;
  const last = all[place - 1];
  const start = step.by === 'offset' || last === undefined ? { offset: place } : { after: last.id };
  const page = await ask(start, count);
  return filterAgreeing(possible, page, (model) => {
    const all = findMatches(model, { type, conditions });
    const rest = all.slice(place);
    return {
      matches: rest.slice(0, count).map(matchOf) as readonly SearchMatch[],
      hasMore: rest.length > count,
      total: all.length,
    };
  });
};

const takeStep = async (
  store: ClinicalStore,
  possible: PossibleModels,
  step: Step,
): Promise<PossibleModels> => {
  switch (step.step) {
    case 'commits': {
      const { commits } = step;
      const outcomes = await Promise.all(commits.map((commit) => tryCommit(store, commit)));
      const orders = ordersOf([...commits.keys()]);
      const remaining = possible.flatMap((model) =>
        orders.flatMap(explainOutcomes(commits, outcomes)(model)),
      );
      if (remaining.length === 0) expect(outcomes).toEqual('the outcomes of the commits in some order');
      return remaining;
    }
    case 'record': {
      const actual = {
        now: await resultOf(store.read(step.ref)),
        resource: await resultOf(store.readResource(step.ref)),
        versions: await readVersions(store, step.ref),
      };
      return filterAgreeing(possible, actual, (model) => {
        const history = historyOf(model, step.ref);
        const now = history[0] ?? null;
        return { now, resource: now && toStoredResource(now), versions: history };
      });
    }
    case 'search':
      return checkSearch(store, possible, step);
    case 'feed': {
      const all = await resultOf(store.changesSince({ limit: everything }));
      const position = positionAt(all, step.place);
      const part = await resultOf(store.changesSince({ position, limit: step.limit }));
      return filterAgreeing(possible, part.map(withoutFeedPosition), (model) =>
        model.slice(step.place, step.place + step.limit).map(({ record }) => record),
      );
    }
    case 'scan': {
      const all = await resultOf(store.scan({ limit: everything }));
      const position = positionAt(all, step.place);
      const part = await resultOf(store.scan({ position, limit: step.limit }));
      const scanned = part.map(({ position: _, index, ...record }) => ({
        record,
        index: sortedEntryTexts(index),
      }));
      return filterAgreeing(possible, scanned, (model) =>
        currentRecords(model)
          .slice(step.place, step.place + step.limit)
          .map(({ record, index }) => ({ record, index: [...new Set(sortedEntryTexts(index))] })),
      );
    }
  }
};

/** Reads the whole feed, which shows the order in which commits were written. */
const wholeFeed: Step = { step: 'feed', place: 0, limit: everything };

const distinctModels = (possible: PossibleModels): PossibleModels =>
  possible.filter(
    (model, index) => possible.findIndex((earlier) => isDeepStrictEqual(model, earlier)) === index,
  );

const runSteps = async (store: ClinicalStore, life: readonly Step[]): Promise<void> => {
  let possible: PossibleModels = [[]];
  for (const step of life) {
    possible = await takeStep(store, possible, step);
    if (step.step === 'commits') possible = distinctModels(await takeStep(store, possible, wholeFeed));
  }
};

export const modelBased: TestTopic = (test) => {
  test('a store returns the same as a plain list of versions, in any sequence of commits and reads', async (_store, withStore) => {
    await fc.assert(
      fc.asyncProperty(steps, (life) => withStore((store) => runSteps(store, life))),
      // A slow store gets fewer runs and perhaps a larger counterexample, instead of a timeout.
      { numRuns: 60, interruptAfterTimeLimit: testTimeout - 15_000 },
    );
  });
};
