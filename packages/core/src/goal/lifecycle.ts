import { committedCommands, type Step } from '../chart/steps.ts';
import type { Fault } from '../errors.ts';
import { goalFault } from './faults.ts';
import type { Goal, GoalRecord } from './model.ts';

/** The command that made the goal: the first of its record. */
const goalCommandOf = (record: GoalRecord) => record.commands[0];

/**
 * Where a goal stands: null until its goal command is committed, completed while a committed close command is not
 * entered in error, and active otherwise. Source: interface, "Goal.lifecycleStatus".
 */
export const lifecycleStatus = (record: GoalRecord): Goal['lifecycleStatus'] | null => {
  const goal = goalCommandOf(record);
  if (goal?.committed == null) return null;
  if (goal.enteredInError != null) return 'entered-in-error';
  return committedCommands(record).some(({ body }) => body.kind === 'closeGoal') ? 'completed' : 'active';
};

/**
 * What speaks against a step of the command at `index`; empty where it may be taken. A goal is updated and closed only
 * once it is one, and closed only once.
 */
export const goalObjections = (
  record: GoalRecord,
  { step, index }: { step: Step; index: number },
): readonly Fault[] => {
  const kind = record.commands[index]?.body.kind;
  if (step !== 'commit' || kind === 'goal') return [];
  if (goalCommandOf(record)?.enteredInError != null) return [goalFault('goal-entered-in-error')];
  const status = lifecycleStatus(record);
  if (status === null) return [goalFault('goal-not-committed')];
  return kind === 'closeGoal' && status === 'completed' ? [goalFault('goal-closed')] : [];
};
