import { describe, expect, test } from 'vitest';
import type { CommandState } from '../../src/chart/command.ts';
import type { GoalCommandBody } from '../../src/goal/model.ts';
import { deriveLifecycleStatus } from '../../src/goal/record.ts';
import { checkGoalStep } from '../../src/goal/rules.ts';
import { closeBody, committed, goalBody, goalRecord, inError, staged, updateBody } from '../builders.ts';
import { describeIssues } from '../results.ts';

const made = committed(goalBody(), 10, { order: 0 });
const close = committed(closeBody(), 20, { order: 1 });
const update = committed(updateBody(), 30, { order: 2 });

describe('lifecycleStatus', () => {
  test.each([
    ['a goal that has not been closed is active', 'active', [made]],
    ['a goal that was updated is active', 'active', [made, update]],
    ['a close command committed completes it', 'completed', [made, close]],
    ['an update after the close leaves it completed', 'completed', [made, close, update]],
    ['a staged close command completes nothing', 'active', [made, staged(closeBody())]],
    ['a close command entered in error reopens the goal', 'active', [made, inError(close)]],
    ['a goal closed twice, and once in error, is completed', 'completed', [made, inError(close), close]],
    ['the goal command entered in error', 'entered-in-error', [inError(made)]],
    ['a closed goal entered in error', 'entered-in-error', [inError(made), close]],
    ['an update entered in error leaves it active', 'active', [made, inError(update)]],
    ['a staged goal is none', null, [staged(goalBody())]],
    ['a staged goal with a close command is none', null, [staged(goalBody()), close]],
    ['no commands, no goal', null, []],
  ] as const)('%s', (_what, status, commands) => {
    expect(deriveLifecycleStatus(goalRecord(...commands))).toBe(status);
  });
});

describe('a step can be refused', () => {
  const objections = (...commands: readonly CommandState<GoalCommandBody>[]) =>
    describeIssues(checkGoalStep(goalRecord(...commands), { step: 'commit', index: commands.length - 1 }));

  test('a goal command can be committed', () => {
    expect(objections(staged(goalBody()))).toEqual([]);
  });

  test.each([
    ['updated', updateBody()],
    ['closed', closeBody()],
  ])('a goal can be %s only once it is committed', (_what, body) => {
    expect(objections(made, staged(body))).toEqual([]);
    expect(objections(staged(goalBody()), staged(body))).toEqual(['goal-not-committed']);
    expect(objections(inError(staged(goalBody())), staged(body))).toEqual(['goal-entered-in-error']);
    expect(objections(inError(made), staged(body))).toEqual(['goal-entered-in-error']);
  });

  test('a goal can be closed only once, and again after the close command was entered in error', () => {
    expect(objections(made, close, staged(closeBody()))).toEqual(['goal-closed']);
    expect(objections(made, inError(close), staged(closeBody()))).toEqual([]);
  });

  test('a closed goal can still be updated', () => {
    expect(objections(made, close, staged(updateBody()))).toEqual([]);
  });

  test.each([[[inError(made), close]], [[made, close]], [[made, staged(closeBody())]]])(
    'every command can be entered in error',
    (commands) => {
      const index = commands.length - 1;
      expect(checkGoalStep(goalRecord(...commands), { step: 'enterInError', index })).toEqual([]);
    },
  );
});
