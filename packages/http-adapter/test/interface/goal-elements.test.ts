import { describe, expect, test } from 'vitest';
import { goal } from '../builders.ts';
import { extensionBase } from '../clinic.ts';
import { goalElements, goalMeasure } from '../clinical-elements.ts';
import { createLoader, leftOutMessage } from '../library/create-loader.ts';
import { sourceGoal } from '../library/source-resources.ts';
import { withoutMeta } from '../response-helpers.ts';
import { onEveryStore } from '../stores.ts';

const codes = [{ system: 'http://snomed.info/sct', code: '281090004', display: 'Walking' }];
const description = { coding: codes, text: 'Walk a mile' };

onEveryStore('Decisions: Goal and ServiceRequest', (clinic) => {
  const load = createLoader(clinic);
  const read = async (id: string) => (await clinic().get(`/Goal/${id}`)).json;

  describe('The other clinical elements of a goal are stored by a command and an import, and read as they were sent', () => {
    test('a command', async () => {
      const command = { ...goalElements, descriptionCoding: codes, target: goalMeasure, dueDate: '2027' };
      await clinic().record(goal({ id: 'g', description: 'Walk a mile', ...command }));
      expect(await read('g')).toMatchObject({
        ...goalElements,
        description,
        target: [{ ...goalMeasure, dueDate: '2027' }],
      });
    });

    test('an import', async () => {
      const sent = { ...goalElements, description, target: [{ ...goalMeasure, dueDate: '2027' }] };
      expect(await load(sourceGoal('amy', sent))).toEqual({ imported: { Goal: 1 }, problems: [] });
      expect(await read('g')).toMatchObject(sent);
    });

    test('with none of them, a goal reads as before', async () => {
      await clinic().record(goal({ id: 'g' }));
      expect(Object.keys(withoutMeta(await read('g')))).toEqual([
        ...['resourceType', 'id', 'lifecycleStatus', 'description', 'subject', 'expressedBy'],
      ]);
    });
  });

  describe('A target with a measure, a value to reach or a `dueDuration` is read without a due date, too', () => {
    test('and a due date that a later command states takes the place of the duration', async () => {
      const duration = { dueDuration: { value: 6, unit: 'month' } };
      await clinic().record(goal({ id: 'g', target: { ...goalMeasure, ...duration } }));
      expect((await read('g')).target).toEqual([{ ...goalMeasure, ...duration }]);
      await clinic().record({ kind: 'updateGoal', goalId: 'g', dueDate: '2027-01-01' });
      expect((await read('g')).target).toEqual([{ ...goalMeasure, dueDate: '2027-01-01' }]);
      await clinic().record({ kind: 'updateGoal', goalId: 'g', dueDate: null });
      expect((await read('g')).target).toEqual([goalMeasure]);
      const found = await clinic().get('/Goal?patient=amy&target-date=ge2000');
      expect(found.json.total).toBe(0);
    });
    test('a target that only had a due date is gone without it', async () => {
      await clinic().record(goal({ id: 'g', dueDate: '2027' }));
      await clinic().record({ kind: 'updateGoal', goalId: 'g', dueDate: null });
      expect(await read('g')).not.toHaveProperty('target');
    });
  });

  test('`statusDate` and `statusReason` are those of the command that gave the goal its status', async () => {
    const begun = { statusDate: '2026-01-01', statusReason: 'A wish' };
    const closed = { statusDate: '2026-02-01', statusReason: 'Moved away' };
    await clinic().record(goal({ id: 'g', ...begun }));
    await clinic().record({ kind: 'updateGoal', goalId: 'g', priority: 'low-priority' });
    expect(await read('g')).toMatchObject(begun);
    const close = await clinic().record({ kind: 'closeGoal', goalId: 'g', ...closed });
    expect(await read('g')).toMatchObject({ lifecycleStatus: 'completed', ...closed });
    await clinic().enterInError(close.id);
    expect(await read('g')).toMatchObject({ lifecycleStatus: 'active', ...begun });
    await clinic().record({ kind: 'closeGoal', goalId: 'g' });
    expect(await read('g')).not.toHaveProperty('statusReason');
  });

  test('A status that no goal has here is in the extension `source-status`, until a command gives the goal another one', async () => {
    const extension = [{ url: `${extensionBase}/source-status`, valueCode: 'on-hold' }];
    const held = sourceGoal('amy', { lifecycleStatus: 'on-hold' });
    const sentence =
      'The interface does not have this status. The resource is read with the nearest one, and has this one in the extension source-status.';
    expect(await load(held)).toEqual({
      imported: { Goal: 1 },
      problems: [`g: Goal.lifecycleStatus: ${sentence}`],
    });
    expect(await read('g')).toMatchObject({ lifecycleStatus: 'active', extension });
    expect((await clinic().get('/Goal?patient=amy&lifecycle-status=on-hold')).json.total).toBe(0);
    const close = await clinic().record({ kind: 'closeGoal', goalId: 'g' });
    expect(await read('g')).not.toHaveProperty('extension');
    await clinic().enterInError(close.id);
    expect(await read('g')).toMatchObject({ extension });
  });

  test('A target beyond the first is left out and reported, if it says anything else', async () => {
    const target = [{ dueDate: '2027' }, { measure: goalMeasure.measure }, { dueDate: '2027' }];
    expect((await load(sourceGoal('amy', { target }))).problems).toEqual([
      `g: Goal.target[1]: ${leftOutMessage}`,
    ]);
    expect((await read('g')).target).toEqual([{ dueDate: '2027' }]);
  });

  test('A goal that moves to another chart leaves what it refers to there', async () => {
    await clinic().record(goal({ id: 'g', ...goalElements }));
    const reason = { by: 'Practitioner/ada', reason: 'Wrong chart.' } as const;
    await clinic().records.corrections.moveToPatient({
      resourceType: 'Goal',
      resourceId: 'g',
      toPatientId: 'ben',
      ...reason,
    });
    const moved = await read('g');
    expect(moved).toMatchObject({ category: goalElements.category, outcomeCode: goalElements.outcomeCode });
    expect(moved).not.toHaveProperty('addresses');
    expect(moved).not.toHaveProperty('outcomeReference');
  });
});
