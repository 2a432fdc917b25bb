import type { ChartCommandInput, PractitionerReference } from '@clinical-records/core';
import { describe, expect, test } from 'vitest';
import { goal } from '../../builders.ts';
import { expectError, expectNotFound, idsOf, withoutMeta } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

const achievementSystem = 'http://terminology.hl7.org/CodeSystem/goal-achievement';
const prioritySystem = 'http://terminology.hl7.org/CodeSystem/goal-priority';

onEveryStore('Goal', (clinic) => {
  const record = (command: ChartCommandInput, by: PractitionerReference = 'Practitioner/ada') =>
    clinic().record(command, by);
  const refuse = async (command: ChartCommandInput, expression: string) => {
    const before = await clinic().feed();
    await expect(record(command)).rejects.toMatchObject({ tag: 'InvalidRequest', issues: [{ expression }] });
    expect(await clinic().feed()).toEqual(before);
  };
  const read = async (id = 'walk') => (await clinic().get(`/Goal/${id}`)).json;

  test('GET | /Goal/{id} | Path id (string, required). Response: a Goal | 200', async () => {
    clinic().clock.at('2026-03-05T10:00:00.250Z');
    await record(
      goal({
        startDate: '2026-03-01',
        dueDate: '2026-06-01',
        priority: 'high-priority',
        achievementStatus: 'in-progress',
        progress: 'Half a mile',
        barriers: 'Rain',
      }),
    );
    const answer = await clinic().get('/Goal/walk');
    const written = {
      id: expect.stringMatching(/^[A-Za-z0-9\-.]{1,64}$/),
      authorReference: { reference: 'Practitioner/ada', type: 'Practitioner', display: 'Ada Byron' },
      time: '2026-03-05T10:00:01.250+00:00',
    };
    expect([answer.status, withoutMeta(answer.json)]).toEqual([
      200,
      {
        resourceType: 'Goal',
        id: 'walk',
        lifecycleStatus: 'active',
        achievementStatus: {
          coding: [{ system: achievementSystem, code: 'in-progress', display: 'In Progress' }],
        },
        priority: { coding: [{ system: prioritySystem, code: 'high-priority', display: 'High Priority' }] },
        description: { text: 'Walk a mile' },
        subject: { reference: 'Patient/amy', type: 'Patient' },
        startDate: '2026-03-01',
        target: [{ dueDate: '2026-06-01' }],
        expressedBy: { reference: 'Practitioner/ada', type: 'Practitioner', display: 'Ada Byron' },
        note: [
          { ...written, text: 'Half a mile' },
          { ...written, text: 'Rain' },
        ],
      },
    ]);
  });

  test('a goal without further records has no other fields', async () => {
    await record(goal());
    expect(Object.keys(withoutMeta(await read()))).toEqual([
      ...['resourceType', 'id', 'lifecycleStatus', 'description', 'subject', 'expressedBy'],
    ]);
  });

  test('achievementStatus | Corresponds to the Status field of the latest committed goal-related command', async () => {
    await record(goal({ achievementStatus: 'in-progress' }));
    await record({ kind: 'updateGoal', goalId: 'walk', achievementStatus: 'improving' });
    expect((await read()).achievementStatus.coding[0].code).toBe('improving');
    await record({ kind: 'closeGoal', goalId: 'walk', achievementStatus: 'achieved' });
    expect((await read()).achievementStatus.coding[0].code).toBe('achieved');
  });

  test('the latest committed goal-related command is the one that was committed last, whenever it was staged', async () => {
    const update = (fields: object) => clinic().stage({ kind: 'updateGoal', goalId: 'walk', ...fields });
    await record(goal({ achievementStatus: 'in-progress', priority: 'low-priority', dueDate: '2026-06' }));
    const first = await update({
      achievementStatus: 'achieved',
      priority: 'high-priority',
      dueDate: '2026-07',
    });
    const second = await update({
      achievementStatus: 'worsening',
      priority: 'medium-priority',
      dueDate: '2026-08',
    });
    const shown = async () => {
      const { achievementStatus, priority, target } = await read();
      return [achievementStatus.coding[0].code, priority.coding[0].code, target];
    };
    expect(await shown()).toEqual(['in-progress', 'low-priority', [{ dueDate: '2026-06' }]]);
    await clinic().commit(second.id);
    expect(await shown()).toEqual(['worsening', 'medium-priority', [{ dueDate: '2026-08' }]]);
    await clinic().commit(first.id);
    expect(await shown()).toEqual(['achieved', 'high-priority', [{ dueDate: '2026-07' }]]);
  });

  describe('achievementStatus.coding[].code | string | One of: in-progress, improving, worsening, no-change, achieved, sustaining, not-achieved, no-progress, not-attainable', () => {
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
    ] as const)('%s', async (code, display) => {
      await record(goal({ achievementStatus: code }));
      expect((await read()).achievementStatus).toEqual({
        coding: [{ system: achievementSystem, code, display }],
      });
    });
    test.each(['completed', 'Achieved', ''])('refused: "%s"', async (achievementStatus) => {
      await refuse(goal({ achievementStatus: achievementStatus as never }), 'Command.achievementStatus');
    });
  });

  test('priority | Corresponds to the Priority field of the latest committed goal-related command', async () => {
    await record(goal({ priority: 'low-priority' }));
    await record({ kind: 'updateGoal', goalId: 'walk', priority: 'high-priority' });
    expect((await read()).priority.coding[0].code).toBe('high-priority');
  });

  describe('priority.coding[].code | string | One of: high-priority, medium-priority, low-priority', () => {
    test.each([
      ['high-priority', 'High Priority'],
      ['medium-priority', 'Medium Priority'],
      ['low-priority', 'Low Priority'],
    ] as const)('%s', async (code, display) => {
      await record(goal({ priority: code }));
      expect((await read()).priority).toEqual({ coding: [{ system: prioritySystem, code, display }] });
    });
    test.each(['high', 'High Priority', ''])('refused: "%s"', async (priority) => {
      await refuse(goal({ priority: priority as never }), 'Command.priority');
    });
  });

  describe('target | At most one element, holding dueDate', () => {
    test('target | Corresponds to the Due date field of the latest committed goal-related command', async () => {
      await record(goal({ dueDate: '2026-06-01' }));
      await record({ kind: 'updateGoal', goalId: 'walk', dueDate: '2026-07' });
      expect((await read()).target).toEqual([{ dueDate: '2026-07' }]);
    });
    test('target | Omitted when there is no due date', async () => {
      await record(goal());
      expect(await read()).not.toHaveProperty('target');
    });
  });

  test('expressedBy | The practitioner who committed the goal command', async () => {
    const { id } = await clinic().stage(goal());
    await clinic().commit(id, 'Practitioner/bob');
    await record({ kind: 'updateGoal', goalId: 'walk', priority: 'high-priority' }, 'Practitioner/cyd');
    expect((await read()).expressedBy).toEqual({
      reference: 'Practitioner/bob',
      type: 'Practitioner',
      display: 'Bob Gray',
    });
  });

  test('note | array of object | Progress and barrier comments submitted on goal-related commands', async () => {
    await record(goal({ progress: 'one' }), 'Practitioner/ada');
    await record({ kind: 'updateGoal', goalId: 'walk', barriers: 'two' }, 'Practitioner/bob');
    await record(
      { kind: 'closeGoal', goalId: 'walk', barriers: 'four', progress: 'three' },
      'Practitioner/cyd',
    );
    const { note } = await read();
    expect(
      note.map((one: { text: string; authorReference: object }) => [one.text, one.authorReference]),
    ).toEqual([
      ['one', { reference: 'Practitioner/ada', type: 'Practitioner', display: 'Ada Byron' }],
      ['two', { reference: 'Practitioner/bob', type: 'Practitioner', display: 'Bob Gray' }],
      ['three', { reference: 'Practitioner/cyd', type: 'Practitioner', display: 'Cyd Lane' }],
      ['four', { reference: 'Practitioner/cyd', type: 'Practitioner', display: 'Cyd Lane' }],
    ]);
  });

  describe('GET | /Goal/{id} | errors 401, 403, 404', () => {
    test.each([
      [401, null],
      [403, 'none'],
    ])('%d', async (status, token) => {
      await record(goal());
      expectError(await clinic().get('/Goal/walk', { token }), status);
    });
    test('404', async () => {
      expectNotFound(await clinic().get('/Goal/none'), 'Goal', 'none');
    });
  });

  describe('GET | /Goal | Query parameters `_id` (string) and `patient` (string, `Patient/<patient_id>`). Response: search bundle of Goal | 200', () => {
    test.each([
      ['_id=run', ['run']],
      ['patient=Patient/ben', ['run', 'swim']],
      ['patient=Patient/ben&_id=walk', []],
      ['', ['walk', 'run', 'swim']],
    ])('%s', async (query, ids) => {
      await record(goal());
      await record(goal({ id: 'run', patientId: 'ben' }));
      await record(goal({ id: 'swim', patientId: 'ben' }));
      expect(idsOf(await clinic().get(`/Goal?${query}`))).toEqual(ids);
    });
  });
});
