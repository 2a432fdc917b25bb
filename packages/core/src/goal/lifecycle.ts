import { type CommandStep, committedCommands } from '../chart/command-lifecycle.ts';
import type { Issue } from '../errors.ts';
import { goalIssue } from './issues.ts';
import type { Goal, GoalRecord } from './model.ts';

/** The command that made the goal: the first of its record. */
const goalCommandOf = (record: GoalRecord) => record.commands[0];

/**
 * The status of a goal: null until its goal command is committed, `entered-in-error` if that command is. It is `completed`
 * while a committed close command is not entered in error, and otherwise `active`. Source: docs/http-interface.md#goal.
 */
export const deriveLifecycleStatus = (record: GoalRecord): Goal['lifecycleStatus'] | null => {
  const goal = goalCommandOf(record);
  if (goal?.committed == null) return null;
  if (goal.enteredInError != null) return 'entered-in-error';
  return committedCommands(record).some(({ body }) => body.kind === 'closeGoal') ? 'completed' : 'active';
};

/**
 * The issues of a step of the command at `index`; empty if the step is allowed. A goal can be updated and closed only after
 * its goal command is committed, and closed only once.
 */
export const checkGoalStep = (
  record: GoalRecord,
  { step, index }: { step: CommandStep; index: number },
): readonly Issue[] => {
  const kind = record.commands[index]?.body.kind;
  if (step !== 'commit' || kind === 'goal') return [];
  if (goalCommandOf(record)?.enteredInError != null) return [goalIssue('goal-entered-in-error')];
  const status = deriveLifecycleStatus(record);
  if (status === null) return [goalIssue('goal-not-committed')];
  return kind === 'closeGoal' && status === 'completed' ? [goalIssue('goal-closed')] : [];
};
