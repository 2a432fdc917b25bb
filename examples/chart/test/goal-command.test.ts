import { expect, test } from 'vitest';
import { goalCommand } from '../src/model/goal-command.ts';

const empty = { description: '', startDate: '', dueDate: '', priority: '', progress: ' ' };

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
  };
  expect(goalCommand('7', filled)).toEqual({ kind: 'goal', patientId: '7', ...filled });
});
