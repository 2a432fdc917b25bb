import { describe, expect, test } from 'vitest';
import { goal } from '../../builders.ts';
import { extensionBase } from '../../clinic.ts';
import { goalElements, goalMeasure } from '../../documents/clinical-elements.ts';
import { createLoader } from '../../library/host/create-loader.ts';
import { sourceGoal } from '../../library/importer/source-resources.ts';
import { withoutMeta } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

const codes = [{ system: 'http://snomed.info/sct', code: '281090004', display: 'Walking' }];
const description = { coding: codes, text: 'Walk a mile' };

onEveryStore('Decisions: Goal and ServiceRequest', (clinic) => {
  const load = createLoader(clinic);
  const read = async (id: string) => (await clinic().get(`/Goal/${id}`)).json;

  describe('The other clinical elements of a goal are stored and read as they were sent', () => {
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

  test('Further targets of a goal are kept in the extension `further-target`, which an export has and an import reads', async () => {
    const measure = (text: string) => ({ measure: { text } });
    const mmHg = { value: 130, unit: 'mmHg' };
    const details = {
      ...{
        detailQuantity: mmHg,
        detailRange: { low: mmHg },
        detailCodeableConcept: { text: 'x' },
        detailString: 'x',
      },
      ...{ detailBoolean: false, detailInteger: 0, detailRatio: { numerator: mmHg } },
    };
    const target = [
      { ...measure('Systolic'), dueDate: '2027' },
      { ...measure('Diastolic'), detailQuantity: { value: 80 }, dueDate: '2027-02' },
      { dueDate: '2027' },
      ...Object.entries(details).map(([name, value]) => ({ ...measure(name), [name]: value })),
      { ...measure('Weight'), dueDuration: { value: 3, unit: 'weeks' } },
    ];
    const sent = sourceGoal('amy', { target });
    const report = await clinic().records.importer.load([sent]);
    expect([report.imported, report.lostElements, report.warnings]).toEqual([{ Goal: 1 }, {}, []]);
    const goal = await read('g');
    expect(goal.target).toEqual([target[0]]);
    expect(goal.extension).toHaveLength(target.length - 2);
    expect(goal.extension[0]).toEqual({
      url: `${extensionBase}/further-target`,
      extension: [
        { url: 'measure', valueCodeableConcept: { text: 'Diastolic' } },
        { url: 'detail', valueQuantity: { value: 80 } },
        { url: 'due', valueDate: '2027-02' },
      ],
    });
    const { meta: _, ...exported } = goal;
    const again = await clinic().records.importer.load([exported, { ...exported, id: 'copy' }]);
    expect([again.imported, again.unchanged, again.lostElements]).toEqual([{ Goal: 1 }, { Goal: 1 }, {}]);
    expect((await read('copy')).extension).toEqual(goal.extension);
    // A command about the goal changes only the first target.
    await clinic().record({ kind: 'updateGoal', goalId: 'g', dueDate: '2028' });
    expect(await read('g')).toMatchObject({ target: [{ dueDate: '2028' }], extension: goal.extension });
    expect(
      (await clinic().records.chart.commandsOf({ resourceType: 'Goal', resourceId: 'g' }))[0]?.command,
    ).toMatchObject({
      kind: 'goal',
    });
  });

  test('A further target that cannot be read is left out and reported', async () => {
    const target = [{ dueDate: '2027' }, { detailString: 'x', dueDate: 'soon' }, { detailString: 7 }];
    const extension = [
      { url: `${extensionBase}/further-target`, extension: [{ url: 'due', valueDate: 'soon' }] },
    ];
    const { problems } = await load(sourceGoal('amy', { target, extension }));
    expect(problems.map((problem) => problem.split(': ')[1])).toEqual([
      'Goal.target[1].dueDate',
      'Goal.target[2]',
      'Goal.extension',
    ]);
    expect((await read('g')).extension).toEqual([
      { url: `${extensionBase}/further-target`, extension: [{ url: 'detail', valueString: 'x' }] },
    ]);
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
