import { describe, expect, test } from 'vitest';
import type { CommandState } from '../../src/chart/command.ts';
import {
  type AchievementStatus,
  achievementStatuses,
  type GoalCommandBody,
  type Priority,
  priorities,
} from '../../src/goal/model.ts';
import { deriveGoal } from '../../src/goal/record.ts';
import { closeBody, committed, goalBody, goalRecord, inError, staged, updateBody } from '../builders.ts';

const derive = deriveGoal('https://clinic.example/fhir/extensions');

const goal = (...commands: readonly CommandState<GoalCommandBody>[]) => {
  const derived = derive(goalRecord(...commands));
  if (derived === null) throw new Error('there is no goal');
  return derived;
};
const codeOf = (concept: { readonly coding: readonly { readonly code: string }[] } | undefined) =>
  concept?.coding.map(({ code }) => code);

test('a goal with all of its elements', () => {
  const body = goalBody({
    startDate: '2026-01-01',
    achievementStatus: 'in-progress',
    priority: 'high-priority',
    dueDate: '2026-12',
    notes: [
      { id: 'n1', text: 'Walks to work' },
      { id: 'n2', text: 'The knee hurts' },
    ],
  });
  const note = {
    authorReference: { reference: 'Practitioner/dr-1', type: 'Practitioner' },
    time: '2026-01-02T03:04:05.678+00:00',
  };
  expect(goal(committed(body, Date.UTC(2026, 0, 2, 3, 4, 5, 678)))).toEqual({
    resourceType: 'Goal',
    id: 'r1',
    lifecycleStatus: 'active',
    achievementStatus: {
      coding: [
        {
          system: 'http://terminology.hl7.org/CodeSystem/goal-achievement',
          code: 'in-progress',
          display: 'In Progress',
        },
      ],
    },
    priority: {
      coding: [
        {
          system: 'http://terminology.hl7.org/CodeSystem/goal-priority',
          code: 'high-priority',
          display: 'High Priority',
        },
      ],
    },
    description: { text: 'Walk every day' },
    subject: { reference: 'Patient/p1', type: 'Patient' },
    startDate: '2026-01-01',
    target: [{ dueDate: '2026-12' }],
    expressedBy: { reference: 'Practitioner/dr-1', type: 'Practitioner' },
    note: [
      { id: 'n1', ...note, text: 'Walks to work' },
      { id: 'n2', ...note, text: 'The knee hurts' },
    ],
  });
});

test('fields that are absent are omitted', () => {
  expect(Object.keys(goal(committed(goalBody(), 1, { by: null }))).toSorted()).toEqual([
    'description',
    'id',
    'lifecycleStatus',
    'resourceType',
    'subject',
  ]);
});

describe('only a committed goal command makes a goal', () => {
  test('a staged command does not make one', () => {
    expect(derive(goalRecord(staged(goalBody())))).toBeNull();
  });

  test('a staged command that was entered in error does not make one', () => {
    expect(derive(goalRecord(inError(staged(goalBody()))))).toBeNull();
  });

  test('a record without commands, or with only an update, does not make one', () => {
    expect(derive(goalRecord())).toBeNull();
    expect(derive(goalRecord(committed(updateBody(), 1)))).toBeNull();
  });

  test('staged commands do not change what is read', () => {
    const made = committed(goalBody({ priority: 'low-priority' }), 1);
    const update = updateBody({
      priority: 'high-priority',
      dueDate: '2027',
      notes: [{ id: 'n', text: 'x' }],
    });
    expect(goal(made, staged(update), staged(closeBody({ achievementStatus: 'achieved' })))).toEqual(
      goal(made),
    );
  });
});

describe('the latest committed command that states a field', () => {
  const made = committed(
    goalBody({ achievementStatus: 'in-progress', priority: 'low-priority', dueDate: '2026-06-01' }),
    10,
    { order: 0 },
  );

  test('is the latest by commit time, not by the order of staging', () => {
    const late = committed(updateBody({ priority: 'high-priority' }), 30, { order: 1 });
    const early = committed(updateBody({ priority: 'medium-priority' }), 20, { order: 2 });
    expect(codeOf(goal(made, late, early).priority)).toEqual(['high-priority']);
  });

  test('is, of two at the same time, the one committed after the other', () => {
    const second = committed(updateBody({ achievementStatus: 'worsening' }), 20, { order: 2 });
    const first = committed(updateBody({ achievementStatus: 'improving' }), 20, { order: 1 });
    expect(codeOf(goal(made, second, first).achievementStatus)).toEqual(['worsening']);
    expect(codeOf(goal(made, first, second).achievementStatus)).toEqual(['worsening']);
  });

  test('is chosen for each field separately', () => {
    const one = committed(updateBody({ priority: 'high-priority' }), 20, { order: 1 });
    const other = committed(updateBody({ achievementStatus: 'improving' }), 30, { order: 2 });
    const { priority, achievementStatus, target } = goal(made, one, other);
    expect([codeOf(priority), codeOf(achievementStatus), target]).toEqual([
      ['high-priority'],
      ['improving'],
      [{ dueDate: '2026-06-01' }],
    ]);
  });

  test('can be the close command', () => {
    const close = committed(closeBody({ achievementStatus: 'achieved' }), 20, { order: 1 });
    expect(codeOf(goal(made, close).achievementStatus)).toEqual(['achieved']);
  });

  test('is not one that was entered in error: the previous value is shown again', () => {
    const update = committed(
      updateBody({ priority: 'high-priority', dueDate: '2030', notes: [{ id: 'n', text: 'x' }] }),
      20,
      { order: 1 },
    );
    expect(goal(made, inError(update))).toEqual(goal(made));
  });

  test('clears the due date by an explicit null', () => {
    const cleared = committed(updateBody({ dueDate: null }), 20, { order: 1 });
    expect(goal(made, cleared)).not.toHaveProperty('target');
  });

  test('can state a due date again after it was cleared', () => {
    const cleared = committed(updateBody({ dueDate: null }), 20, { order: 1 });
    const again = committed(updateBody({ dueDate: '2027-01-01' }), 30, { order: 2 });
    expect(goal(made, cleared, again).target).toEqual([{ dueDate: '2027-01-01' }]);
    expect(goal(made, inError(cleared)).target).toEqual([{ dueDate: '2026-06-01' }]);
  });
});

describe('expressedBy', () => {
  test('is the practitioner who committed the goal command, whoever updates it', () => {
    const update = committed(updateBody({ priority: 'high-priority' }), 2, {
      by: 'Practitioner/dr-2',
      order: 1,
    });
    expect(goal(committed(goalBody(), 1, { by: 'Practitioner/dr-1' }), update).expressedBy?.reference).toBe(
      'Practitioner/dr-1',
    );
  });
});

test('each author is shown with the name that was stored with the id, or without one', () => {
  const { expressedBy, note } = goal(
    committed(goalBody({ notes: [{ id: 'n1', text: 'one' }] }), 1, {
      by: 'Practitioner/dr-1',
      byDisplay: 'Ada King',
    }),
    committed(updateBody({ notes: [{ id: 'n2', text: 'two' }] }), 2, { by: 'Practitioner/dr-2', order: 1 }),
  );
  const ada = { reference: 'Practitioner/dr-1', type: 'Practitioner', display: 'Ada King' };
  expect(expressedBy).toEqual(ada);
  expect(note?.map(({ authorReference }) => authorReference)).toEqual([
    ada,
    { reference: 'Practitioner/dr-2', type: 'Practitioner' },
  ]);
});

describe('note', () => {
  const notes = (id: string) => [
    { id: `${id}-p`, text: `progress ${id}` },
    { id: `${id}-b`, text: `barriers ${id}` },
  ];

  test('is each text of a committed command, with author and time, in commit order', () => {
    const { note } = goal(
      committed(goalBody({ notes: notes('goal') }), 0, { by: 'Practitioner/dr-1', order: 0 }),
      committed(updateBody({ notes: notes('late') }), 2_000, { by: 'Practitioner/dr-3', order: 2 }),
      committed(updateBody({ notes: notes('early') }), 1_000, { by: 'Practitioner/dr-2', order: 1 }),
      committed(closeBody({ notes: notes('close') }), 3_000, { by: 'Practitioner/dr-4', order: 3 }),
    );
    expect(
      note?.map(({ id, time, authorReference }) => [id, time?.slice(17, 19), authorReference?.reference]),
    ).toEqual([
      ['goal-p', '00', 'Practitioner/dr-1'],
      ['goal-b', '00', 'Practitioner/dr-1'],
      ['early-p', '01', 'Practitioner/dr-2'],
      ['early-b', '01', 'Practitioner/dr-2'],
      ['late-p', '02', 'Practitioner/dr-3'],
      ['late-b', '02', 'Practitioner/dr-3'],
      ['close-p', '03', 'Practitioner/dr-4'],
      ['close-b', '03', 'Practitioner/dr-4'],
    ]);
  });

  test('has no author if it is not known', () => {
    const { note } = goal(committed(goalBody({ notes: [{ id: 'n', text: 'x' }] }), 0, { by: null }));
    expect(note).toEqual([{ id: 'n', time: '1970-01-01T00:00:00.000+00:00', text: 'x' }]);
  });
});

test('a goal that was entered in error still shows its previous values', () => {
  const made = committed(goalBody({ priority: 'low-priority', notes: [{ id: 'n', text: 'x' }] }), 1);
  expect(goal(inError(made))).toEqual({ ...goal(made), lifecycleStatus: 'entered-in-error' });
});

test.each([
  ['in-progress', 'In Progress'],
  ['improving', 'Improving'],
  ['worsening', 'Worsening'],
  ['no-change', 'No Change'],
  ['achieved', 'Achieved'],
  ['sustaining', 'Sustaining'],
  ['not-achieved', 'Not Achieved'],
  ['no-progress', 'No Progress'],
  ['not-attainable', 'Not Attainable'],
] as const satisfies [AchievementStatus, string][])(
  'achievement status %s is displayed as %s',
  (code, display) => {
    const { achievementStatus } = goal(committed(goalBody({ achievementStatus: code }), 1));
    expect(achievementStatus?.coding[0]).toMatchObject({ code, display });
  },
);

test.each([
  ['high-priority', 'High Priority'],
  ['medium-priority', 'Medium Priority'],
  ['low-priority', 'Low Priority'],
] as const satisfies [Priority, string][])('priority %s is displayed as %s', (code, display) => {
  expect(goal(committed(goalBody({ priority: code }), 1)).priority?.coding[0]).toMatchObject({
    code,
    display,
  });
});

test('there are no other codes for achievement and priority', () => {
  expect([Object.keys(achievementStatuses.displays).length, Object.keys(priorities.displays).length]).toEqual(
    [9, 3],
  );
});
