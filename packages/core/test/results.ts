import * as E from 'fp-ts/lib/Either.js';
import { expect } from 'vitest';
import type { ClinicalError, Issue } from '../src/errors.ts';

/** The right value. A left value fails the test with a message that shows it. */
export const rightOf = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error(`refused: ${JSON.stringify(result.left)}`);
  return result.right;
};

/** The left value. A right value fails the test with a message that shows it. */
export const leftOf = <L>(result: E.Either<L, unknown>): L => {
  if (E.isRight(result)) throw new Error(`accepted: ${JSON.stringify(result.right)}`);
  return result.left;
};

/** Issues as `rule at expression`, in the order of the texts: no rule depends on the order in which they are found. */
export const describeIssues = (faults: readonly Issue[]): readonly string[] =>
  faults
    .map(({ rule, expression }) => (expression === undefined ? rule : `${rule} at ${expression}`))
    .toSorted();

/** The issues of an error, after the kind of the error. */
export const refusal = (result: E.Either<ClinicalError, unknown>): readonly string[] => {
  const { _tag, issues } = leftOf(result);
  return [_tag, ...describeIssues(issues)];
};

const expecting =
  (tag: ClinicalError['_tag']) =>
  (result: E.Either<ClinicalError, unknown>, ...faults: readonly string[]): void =>
    expect(refusal(result)).toEqual([tag, ...faults]);

/** Expects an `InvalidRequest` with only these issues. */
export const expectInvalid = expecting('InvalidRequest');

/** Expects a `RuleViolation` with only these issues. */
export const expectViolation = expecting('RuleViolation');
