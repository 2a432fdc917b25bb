import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, test } from 'vitest';
import type { GoalUpdateBody } from '../../src/goal/bodies.ts';
import { achievementStatuses, priorities } from '../../src/goal/model.ts';
import { checkCommit } from '../../src/goal/rules.ts';
import { committed, goalBody, goalRecord, inError, staged } from '../builders.ts';
import { expectViolation } from '../results.ts';

const body = goalBody({
  startDate: '2026-01',
  dueDate: '2026-06-01',
  priority: 'low-priority',
  achievementStatus: 'improving',
  notes: [
    { id: 'n1', text: 'Walks already.' },
    { id: 'n2', text: 'It rains.' },
  ],
});
const sent: GoalUpdateBody = {
  id: 'r1',
  lifecycleStatus: 'active',
  subject: { reference: 'Patient/p1' },
  description: { text: 'Walk every day' },
};
const whole: GoalUpdateBody = {
  ...sent,
  startDate: '2026-01',
  target: [{ dueDate: '2026-06-01' }],
  priority: { coding: [{ system: priorities.system, code: 'low-priority', display: 'Low' }] },
  achievementStatus: { coding: [{ system: achievementStatuses.system, code: 'improving' }] },
  note: [{ text: 'Walks already.' }, { text: 'It rains.' }],
};
const record = goalRecord(staged(body));

describe('a commit says what was staged', () => {
  test.each([
    ['every element', whole],
    ['only the required ones', sent],
  ])('%s', (_, update) => {
    expect(checkCommit(update, record)).toEqual(E.right(undefined));
  });

  test.each<[element: string, Partial<GoalUpdateBody>]>([
    ['subject', { subject: { reference: 'Patient/p2' } }],
    ['description', { description: { text: 'Walk' } }],
    ['startDate', { startDate: '2026' }],
    ['target', { target: [{ dueDate: '2026-06' }] }],
    ['priority', { priority: { coding: [{ system: priorities.system, code: 'high-priority' }] } }],
    [
      'achievementStatus',
      { achievementStatus: { coding: [{ system: achievementStatuses.system, code: 'achieved' }] } },
    ],
    ['note', { note: [{ text: 'Walks already.' }] }],
    ['note', { note: [{ text: 'It rains.' }, { text: 'Walks already.' }] }],
  ])('a different %s is refused', (element, fields) => {
    expectViolation(checkCommit({ ...whole, ...fields }, record), `staged-goal-differs at Goal.${element}`);
  });

  test('an element that was not staged is refused, and each difference is reported', () => {
    const bare = goalRecord(staged(goalBody()));
    expectViolation(
      checkCommit(whole, bare),
      ...['achievementStatus', 'note', 'priority', 'startDate', 'target'].map(
        (element) => `staged-goal-differs at Goal.${element}`,
      ),
    );
  });
});

test.each([
  ['committed', goalRecord(committed(body, 10))],
  ['entered in error', goalRecord(inError(staged(body)))],
  ['without a command', goalRecord()],
])('a goal that is %s is not committed', (_, other) => {
  expectViolation(checkCommit(sent, other), 'not-staged at Goal.lifecycleStatus');
});
