import { expect, test } from 'vitest';
import { committedGoalBody, proposedGoalBody } from '../src/model/goal-bodies.ts';
import type { StagedGoal } from '../src/model/resources.ts';

const empty = { description: '', startDate: '', dueDate: '', priority: '', note: ' ' };

test('a form that is empty sends only the elements that every goal has, for the rules of the server', () => {
  expect(proposedGoalBody('7', empty)).toEqual({
    resourceType: 'Goal',
    lifecycleStatus: 'proposed',
    description: { text: '' },
    subject: { reference: 'Patient/7' },
  });
});

test('each field of a form is an element', () => {
  const filled = {
    description: 'Walk',
    startDate: '2026',
    dueDate: '2027-06',
    priority: 'low-priority',
    note: 'x',
  };
  expect(proposedGoalBody('7', filled)).toMatchObject({
    description: { text: 'Walk' },
    startDate: '2026',
    target: [{ dueDate: '2027-06' }],
    priority: {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/goal-priority', code: 'low-priority' }],
    },
    note: [{ text: 'x' }],
  });
});

test('a goal is committed as it was staged', () => {
  const staged = { resourceType: 'Goal', id: 'g', lifecycleStatus: 'proposed', startDate: '2026' };
  expect(committedGoalBody(staged as unknown as StagedGoal)).toEqual({
    ...staged,
    lifecycleStatus: 'active',
  });
});
