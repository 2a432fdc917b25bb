import * as E from 'fp-ts/lib/Either.js';
import type { CommandStep } from '../chart/command.ts';
import { type ClinicalError, createIssueFactory, type Issue, ruleViolation } from '../errors.ts';
import type { AuthorReference } from '../fhir/reference.ts';
import type { GoalCommand, GoalRecord } from './model.ts';
import { deriveLifecycleStatus, goalCommandOf, isDiscarded } from './record.ts';

export const goalIssues = {
  'unknown-goal': 'There is no such goal.',
  'goal-not-committed': 'The goal command is not committed yet.',
  'goal-entered-in-error': 'The goal was entered in error.',
  'goal-closed': 'The goal is already closed.',
  'expressed-by-other': 'A goal is expressed by the author of its command, and by nobody else.',
} as const;

export type GoalRule = keyof typeof goalIssues;

const goalIssue = createIssueFactory(goalIssues);

/**
 * The issues of a step of the command at `index`; empty if the step is allowed. A goal can be updated and closed only after
 * its goal command is committed, and closed only once.
 */
export const checkGoalStep = (
  record: GoalRecord,
  { step, index }: { step: CommandStep; index: number },
): readonly Issue<GoalRule>[] => {
  const kind = record.commands[index]?.body.kind;
  if (step !== 'commit' || kind === 'goal') return [];
  if (isDiscarded(record)) return [goalIssue('unknown-goal')];
  if (goalCommandOf(record)?.enteredInError != null) return [goalIssue('goal-entered-in-error')];
  const status = deriveLifecycleStatus(record);
  if (status === null) return [goalIssue('goal-not-committed')];
  return kind === 'closeGoal' && status === 'completed' ? [goalIssue('goal-closed')] : [];
};

/** The error of a command that names a goal that does not exist, or that its sender does not reach. */
export const unknownGoalError = ruleViolation(goalIssue('unknown-goal', 'goalId'));

/** Refuses a goal that somebody else expresses than the author of its command. */
export const requireOwnExpression = (
  { expressedBy }: Pick<Extract<GoalCommand, { kind: 'goal' }>, 'expressedBy'>,
  by: AuthorReference | null,
): E.Either<ClinicalError, void> =>
  expressedBy === undefined || expressedBy.reference === by
    ? E.right(undefined)
    : E.left(ruleViolation(goalIssue('expressed-by-other', 'expressedBy')));
