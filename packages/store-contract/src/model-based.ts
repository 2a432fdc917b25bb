import { isDeepStrictEqual } from 'node:util';
import {
  type ClinicalStore,
  type Commit,
  type Match,
  type Query,
  storedResource,
} from '@clinical-records/core';
import fc from 'fast-check';
import { isLeft } from 'fp-ts/lib/Either.js';
import { expect } from 'vitest';
import { type Step, steps } from './arbitraries.ts';
import { answer, found } from './builders.ts';
import { versionIn } from './feed.ts';
import { commitTo, foundIn, historyOf, type Model, type Outcome, standingIn } from './model.ts';
import { inOrder } from './scan.ts';
import { type Topic, timeLimit } from './topic.ts';

const everything = 1000;

const outcomeOf = async (store: ClinicalStore, commit: Commit): Promise<Outcome> => {
  const outcome = await store.commit(commit)();
  return isLeft(outcome) ? { refused: outcome.left } : { versions: outcome.right };
};

/** All orders in which commits that ran at the same time may have been written. */
const ordersOf = (commits: readonly number[]): readonly (readonly number[])[] =>
  commits.length === 0
    ? [[]]
    : commits.flatMap((first) =>
        ordersOf(commits.filter((other) => other !== first)).map((rest) => [first, ...rest]),
      );

/** What the model becomes by commits in some order, where their outcomes are those of the store. */
const explaining =
  (commits: readonly Commit[], outcomes: readonly Outcome[]) =>
  (model: Model) =>
  (order: readonly number[]): readonly Model[] => {
    let after = model;
    for (const at of order) {
      const [next, outcome] = commitTo(after, commits[at] ?? { changes: [], premises: [] });
      if (!isDeepStrictEqual(outcome, outcomes[at])) return [];
      after = next;
    }
    return [after];
  };

/** The models that the store's answers do not contradict: several, as long as more than one order is possible. */
type Possible = readonly Model[];

const agreeing = <A>(possible: Possible, actual: A, expected: (model: Model) => A): Possible => {
  const left = possible.filter((model) => isDeepStrictEqual(actual, expected(model)));
  // Shows the difference, where there is one.
  if (left.length === 0) for (const model of possible) expect(actual).toEqual(expected(model));
  expect(left).not.toHaveLength(0);
  return left;
};

const positionAt = (all: readonly { position: number }[], place: number): number =>
  all[Math.min(place, all.length) - 1]?.position ?? 0;

const search = async (store: ClinicalStore, possible: Possible, step: Extract<Step, { step: 'search' }>) => {
  const { type, conditions, count, place } = step;
  const ask = (start: Query['start'], limit: number) =>
    answer(store.search({ type, conditions, start, count: limit, withTotal: true }));
  const all = (await ask({ offset: 0 }, everything)).matches;
  const last = all[place - 1];
  const start = step.by === 'offset' || last === undefined ? { offset: place } : { after: last.id };
  const page = await ask(start, count);
  return agreeing(possible, page, (model) => {
    const all = foundIn(model, { type, conditions });
    const rest = all.slice(place);
    return {
      matches: rest.slice(0, count).map(found) as readonly Match[],
      hasMore: rest.length > count,
      total: all.length,
    };
  });
};

const take = async (store: ClinicalStore, possible: Possible, step: Step): Promise<Possible> => {
  switch (step.step) {
    case 'commits': {
      const { commits } = step;
      const outcomes = await Promise.all(commits.map((commit) => outcomeOf(store, commit)));
      const orders = ordersOf([...commits.keys()]);
      const left = possible.flatMap((model) => orders.flatMap(explaining(commits, outcomes)(model)));
      if (left.length === 0) expect(outcomes).toEqual('what commits in some order come to');
      return left;
    }
    case 'record': {
      const actual = {
        now: await answer(store.read(step.ref)),
        resource: await answer(store.readResource(step.ref)),
        history: await answer(store.history(step.ref)),
      };
      return agreeing(possible, actual, (model) => {
        const history = historyOf(model, step.ref);
        const now = history[0] ?? null;
        return { now, resource: now && storedResource(now), history };
      });
    }
    case 'search':
      return search(store, possible, step);
    case 'feed': {
      const all = await answer(store.changesSince({ position: 0, limit: everything }));
      const position = positionAt(all, step.place);
      const part = await answer(store.changesSince({ position, limit: step.limit }));
      return agreeing(possible, part.map(versionIn), (model) =>
        model.slice(step.place, step.place + step.limit).map(({ record }) => record),
      );
    }
    case 'scan': {
      const all = await answer(store.scan({ position: 0, limit: everything }));
      const position = positionAt(all, step.place);
      const part = await answer(store.scan({ position, limit: step.limit }));
      const told = part.map(({ position: _, index, ...record }) => ({ record, index: inOrder(index) }));
      return agreeing(possible, told, (model) =>
        standingIn(model)
          .slice(step.place, step.place + step.limit)
          .map(({ record, index }) => ({ record, index: [...new Set(inOrder(index))] })),
      );
    }
  }
};

/** Tells in which order commits were written. */
const wholeFeed: Step = { step: 'feed', place: 0, limit: everything };

const different = (possible: Possible): Possible =>
  possible.filter((model, at) => possible.findIndex((other) => isDeepStrictEqual(model, other)) === at);

const live = async (store: ClinicalStore, life: readonly Step[]): Promise<void> => {
  let possible: Possible = [[]];
  for (const step of life) {
    possible = await take(store, possible, step);
    if (step.step === 'commits') possible = different(await take(store, possible, wholeFeed));
  }
};

export const modelBased: Topic = (test) => {
  test('a store answers what a plain list of versions answers, whatever is done to it', async (_store, withStore) => {
    await fc.assert(
      fc.asyncProperty(steps, (life) => withStore((store) => live(store, life))),
      // On a slow store there are fewer runs, and a counterexample that could be smaller: better than a test out of time.
      { numRuns: 60, interruptAfterTimeLimit: timeLimit - 15_000 },
    );
  });
};
