import { expect, test } from 'vitest';
import {
  closeGoalCommand,
  goalCommand,
  unchangedGoal,
  updateGoalCommand,
} from '../../src/model/goal-command.ts';

const empty = { description: '', startDate: '', dueDate: '', priority: '', progress: ' ' } as const;

test('a form that is empty sends only the elements that every goal has, for the rules of the server', () => {
  expect(goalCommand('7', empty)).toEqual({ kind: 'goal', patientId: '7', description: '' });
});

test('each field of a form is an element', () => {
  const filled = {
    description: 'Walk',
    startDate: '2026',
    dueDate: '2027-06',
    priority: 'low-priority',
    progress: 'x',
  } as const;
  expect(goalCommand('7', filled)).toEqual({ kind: 'goal', patientId: '7', ...filled });
});

test('a form that changes nothing starts with the due date of the goal', () => {
  const none = { achievementStatus: '', progress: '', barriers: '' };
  expect(unchangedGoal({})).toEqual({ ...none, dueDate: '' });
  expect(unchangedGoal({ target: [{ dueDate: '2027-06' }] })).toEqual({ ...none, dueDate: 'Jun 2027' });
});

const change = { achievementStatus: 'improving', progress: 'Walks 4 km.', barriers: 'Her knee.' } as const;
const blank = { achievementStatus: '', progress: ' ', barriers: '' } as const;

test('an update sends each field that was filled in, and only these', () => {
  const ofGoal = { kind: 'updateGoal', goalId: 'walk' };
  expect(updateGoalCommand('walk', { ...change, dueDate: '2027-06' })).toEqual({
    ...ofGoal,
    ...change,
    dueDate: '2027-06',
  });
  expect(updateGoalCommand('walk', { ...blank, dueDate: undefined })).toEqual(ofGoal);
});

test('a due date that was removed is cleared', () => {
  expect(updateGoalCommand('walk', { ...blank, dueDate: '' })).toMatchObject({ dueDate: null });
});

test('a goal is closed with each field that was filled in, and only these', () => {
  const ofGoal = { kind: 'closeGoal', goalId: 'walk' };
  expect(closeGoalCommand('walk', { ...change })).toEqual({ ...ofGoal, ...change });
  expect(closeGoalCommand('walk', blank)).toEqual(ofGoal);
});
