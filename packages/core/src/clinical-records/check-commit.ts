import * as E from 'fp-ts/lib/Either.js';
import { applyStep, type ChartRule, chartIssue } from '../chart/command.ts';
import type { Issue } from '../errors.ts';
import type { GoalRecord } from '../goal/model.ts';
import { checkGoalStep, type GoalRule } from '../goal/rules.ts';
import type { ImmunizationRecord } from '../immunization/model.ts';
import type { OrderRecord } from '../service-request/model.ts';

/** The commands behind one resource: a goal, an order or an immunization. */
export type CommandRecord = GoalRecord | OrderRecord | ImmunizationRecord;

/** The first command of a goal is the one that began it. */
const isGoalRecord = (record: CommandRecord): record is GoalRecord =>
  record.commands[0]?.body.kind === 'goal';

/**
 * The issues that keep the command at `index` from being committed now; empty if it can be committed.
 *
 * @example
 * const [issue] = checkCommit(goalRecord, 1);
 * closeButton.disabled = issue !== undefined;
 */
export const checkCommit = (record: CommandRecord, index: number): readonly Issue<ChartRule | GoalRule>[] => {
  if (record.commands[index] === undefined) return [chartIssue('not-staged')];
  const step = { step: 'commit', index } as const;
  const applied = applyStep<unknown>(record, { ...step, authorship: { at: 0, by: null } });
  if (E.isLeft(applied)) return [applied.left];
  return isGoalRecord(record) ? checkGoalStep(record, step) : [];
};
