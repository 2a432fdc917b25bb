import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, test } from 'vitest';
import { type ClinicalError, ruleViolation } from '../../src/errors.ts';
import { createChange, type Decision, transact } from '../../src/records/transact.ts';
import type { ClinicalStore, Commit, RecordChange } from '../../src/store/port.ts';
import type { StoreError } from '../../src/store/store-error.ts';
import { anyVersion, exactVersion, noVersion } from '../../src/store/versions.ts';
import { leftOf, rightOf } from '../results.ts';
import { storeThatIsAway, unavailable } from '../store-that-is-away.ts';

const conflict: StoreError = { _tag: 'Conflict', ref: { type: 'Goal', id: 'g1' }, actual: 2 };

/** A store whose commits have the given outcomes, the last one from then on. It records the commits. */
const storeThat = (...ends: readonly (StoreError | 'commits')[]) => {
  const commits: Commit[] = [];
  const store: ClinicalStore = {
    ...storeThatIsAway,
    commit: async (commit) => {
      const end = ends[Math.min(commits.length, ends.length - 1)];
      commits.push(commit);
      return end === undefined || end === 'commits' ? E.right([1]) : E.left(end);
    },
  };
  return { store, commits };
};

const change = (at: number): RecordChange => ({
  type: 'Goal',
  id: 'g1',
  patientId: 'p1',
  at,
  by: null,
  state: '{}',
  resource: null,
  index: [],
  expects: anyVersion,
});

/** A change that says which decision it was. */
const eachAnew = (time: number): E.Either<ClinicalError, Decision<number>> =>
  E.right({ changes: [change(time)], result: time });

/** Returns the given decisions one after the other, and counts them. */
const deciding = <A>(decision: (time: number) => E.Either<ClinicalError, Decision<A>>) => {
  let times = 0;
  return {
    decide: async () => {
      times += 1;
      return decision(times);
    },
    count: () => times,
  };
};

test('a decision is committed, and its result returned', async () => {
  const { store, commits } = storeThat('commits');
  const versionChecks = [{ type: 'Practitioner', id: 'dr-1', expects: noVersion }];
  const decided = { changes: [change(1)], versionChecks, result: 'done' };
  expect(rightOf(await transact(store)(async () => E.right(decided)))).toBe('done');
  expect(commits).toEqual([{ changes: [change(1)], versionChecks: versionChecks }]);
});

test('without changes nothing is committed', async () => {
  const { store, commits } = storeThat(unavailable);
  const decided = { changes: [], result: 'as it was' };
  expect([rightOf(await transact(store)(async () => E.right(decided))), commits]).toEqual(['as it was', []]);
});

test('a refusal is not committed, and not decided again', async () => {
  const { store, commits } = storeThat('commits');
  const { decide, count } = deciding(() => E.left(ruleViolation([])));
  expect(leftOf(await transact(store)(decide))).toEqual(ruleViolation([]));
  expect([count(), commits]).toEqual([1, []]);
});

describe('after a conflict with another commit', () => {
  test('the change is decided again, and the new decision is committed', async () => {
    const { store, commits } = storeThat(conflict, conflict, 'commits');
    const { decide, count } = deciding(eachAnew);
    expect([rightOf(await transact(store)(decide)), count()]).toEqual([3, 3]);
    expect(commits.map(({ changes }) => changes.map(({ at }) => at))).toEqual([[1], [2], [3]]);
  });

  test('a new decision to change nothing ends it', async () => {
    const { store, commits } = storeThat(conflict);
    const { decide } = deciding((time) =>
      E.right({ changes: time === 1 ? [change(1)] : [], result: 'seen' }),
    );
    expect([rightOf(await transact(store)(decide)), commits.length]).toEqual(['seen', 1]);
  });

  test('a new decision to refuse ends it', async () => {
    const { store } = storeThat(conflict);
    const { decide } = deciding((time) => (time === 1 ? eachAnew(time) : E.left(ruleViolation([]))));
    expect(leftOf(await transact(store)(decide))).toEqual(ruleViolation([]));
  });

  test('on every attempt, the change fails, and the failure is reported', async () => {
    const { store, commits } = storeThat(conflict);
    const { decide, count } = deciding(eachAnew);
    const { _tag, issues } = leftOf(await transact(store)(decide));
    expect([_tag, issues.map(({ rule }) => rule)]).toEqual(['StoreFailure', ['too-contended']]);
    expect(commits.length).toBe(count());
    expect(count()).toBeGreaterThan(1);
  });
});

describe('a conflict with a record that is missing', () => {
  const lost: StoreError = { ...conflict, actual: null };
  const decidingOn = (decision: Partial<Decision<string>>) =>
    deciding(() => E.right({ changes: [change(1)], result: 'done', ...decision }));

  test.each<[string, Partial<Decision<string>>]>([
    ['written', { changes: [{ ...change(1), expects: exactVersion(3) }] }],
    ['checked', { versionChecks: [{ type: 'Goal', id: 'g1', expects: exactVersion(3) }] }],
  ])('fails at once if a version of it was read and %s, because records never disappear', async (_, sent) => {
    const { store, commits } = storeThat(lost);
    const error = leftOf(await transact(store)(decidingOn(sent).decide));
    expect([error._tag, error.issues.map(({ rule }) => rule), commits.length]).toEqual([
      'StoreFailure',
      ['damaged-store'],
      1,
    ]);
  });

  test('is decided again if no version of it was read', async () => {
    const { store, commits } = storeThat(lost, 'commits');
    const other = { type: 'Goal', id: 'g2', expects: exactVersion(3) };
    const { decide } = decidingOn({ versionChecks: [other] });
    expect([rightOf(await transact(store)(decide)), commits.length]).toEqual(['done', 2]);
  });
});

test('an unavailable store is a failure at once, which names nothing of the store', async () => {
  const { store, commits } = storeThat(unavailable);
  const error = leftOf(await transact(store)(deciding(eachAnew).decide));
  expect([error._tag, error.issues.map(({ rule }) => rule), commits.length]).toEqual([
    'StoreFailure',
    ['store-unavailable'],
    1,
  ]);
  expect(JSON.stringify(error.issues)).not.toContain('disk');
});

test('an unknown outcome of a commit is reported as such, and the commit is not repeated', async () => {
  const unknown: StoreError = { _tag: 'OutcomeUnknown', message: 'the response is lost', cause: null };
  const { store, commits } = storeThat(unknown, 'commits');
  const error = leftOf(await transact(store)(deciding(eachAnew).decide));
  expect([error._tag, error.issues.map(({ rule }) => rule), commits.length]).toEqual([
    'StoreFailure',
    ['outcome-unknown'],
    1,
  ]);
  expect(error.issues.map(({ message }) => message).join()).not.toContain('nothing was changed');
});

test.each([
  ['now', 2, 2],
  ['when the record was last changed, if another clock was ahead', 9, 9],
])('a change is dated %s', (_, lastChange, expected) => {
  const definition = {
    type: 'Goal',
    id: () => 'g1',
    patientId: () => 'p1',
    derive: () => null,
    refersTo: () => [],
    withPatient: null,
  };
  const { expects: _expects, index: _index, ...stored } = { ...change(lastChange), version: 3 };
  const now = { at: 2, by: null };
  expect(createChange(definition, { id: 'g1', stored, state: {} }, {}, now).at).toBe(expected);
  expect(createChange(definition, { id: 'g1', stored: null, state: null }, {}, now).at).toBe(2);
});
