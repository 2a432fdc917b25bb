import { checkCommit, deriveGoal, type GoalRecord } from '@clinical-records/core/rules';
import { expect, test } from 'vitest';

const derive = deriveGoal('https://clinic.example/fhir/extensions');

type Command = GoalRecord['commands'][number];

/** A command that a doctor committed at a time. */
const committed = (at: number, body: Command['body']): Command => ({
  body,
  stagedAt: at,
  committed: { at, by: 'Practitioner/ada', order: 0 },
});

const inError = (command: Command): Command => ({
  ...command,
  enteredInError: { at: 900, by: 'Practitioner/ada' },
});
const staged = ({ committed: _, ...command }: Command): Command => command;

const goal = committed(100, { kind: 'goal', description: 'Walk 5 km a day', notes: [] });
const update = committed(200, { kind: 'updateGoal', achievementStatus: 'improving', notes: [] });
const close = committed(300, { kind: 'closeGoal', achievementStatus: 'achieved', notes: [] });

const record = (...commands: readonly Command[]): GoalRecord => ({ id: 'g', patientId: '7', commands });

const lifecycle = (...commands: readonly Command[]) => derive(record(...commands))?.lifecycleStatus;

/** The rules that keep the last of the commands from being committed. */
const issues = (...commands: readonly Command[]) =>
  checkCommit(record(...commands), commands.length - 1).map(({ rule }) => rule);

test('a goal does not exist before its command is committed', () => {
  expect(derive(record(staged(goal)))).toBeNull();
  expect(issues(staged(goal), staged(update))).toEqual(['goal-not-committed']);
});

test('a goal shows the latest statement', () => {
  expect(derive(record(goal, update, close))).toMatchObject({
    description: { text: 'Walk 5 km a day' },
    achievementStatus: { coding: [{ code: 'achieved' }] },
  });
});

test('a goal can be closed only once, and a later update does not reopen it', () => {
  const later = committed(400, update.body);
  expect(issues(goal, close, staged(close))).toEqual(['goal-closed']);
  expect(issues(goal, close, staged(later))).toEqual([]);
  expect(lifecycle(goal, close, later)).toBe('completed');
});

test('a goal that was closed in error is active, and can be closed', () => {
  expect(lifecycle(goal, inError(close))).toBe('active');
  expect(issues(goal, inError(close), staged(close))).toEqual([]);
});

test('a goal that was entered in error cannot be changed', () => {
  expect(lifecycle(inError(goal), update)).toBe('entered-in-error');
  expect(issues(inError(goal), staged(update))).toEqual(['goal-entered-in-error']);
});
