import type { ChartCommandInput, ChartLimit } from '@clinical-records/core';
import { describe, expect, test } from 'vitest';
import { goal, immunize, labOrder, oneCommandOfEach } from '../builders.ts';
import { outcomeOf } from '../outcome-of.ts';
import { onEveryStore } from '../stores.ts';
import { sourceGoal, sourceImmunization, sourceOrder } from './importer/source-resources.ts';

const by = { by: 'Practitioner/ada' } as const;

onEveryStore('records.chart', (clinic) => {
  const behind = async (resourceType: 'ServiceRequest' | 'Goal' | 'Immunization', resourceId: string) =>
    clinic().records.chart.commandsOf({ resourceType, resourceId });
  const kinds = (commands: Awaited<ReturnType<typeof behind>>) =>
    commands.map(({ kind, status }) => `${kind}: ${status}`);

  describe('an issue of a command is reported at its field, whether it is malformed or contradicts the stored data', () => {
    const faultsOf = async (command: ChartCommandInput) => {
      const { chart } = clinic().records;
      const [staged, recorded] = [
        await outcomeOf(chart.stage(command)),
        await outcomeOf(chart.record(command, by)),
      ];
      expect(recorded).toEqual(staged);
      return 'left' in staged
        ? staged.left.issues.map(({ rule, expression }) => `${rule} at ${expression}`)
        : [];
    };
    const reason = { coding: [{ code: 'PATOBJ' }] };
    const ended = { start: '2026-02-02', end: '2026-01-01' };

    test.each<readonly [ChartCommandInput, readonly string[]]>([
      [labOrder({ patientId: 'a b' }), ['id at Command.patientId']],
      [labOrder({ patientId: 'nobody' }), ['unknown-patient at Command.patientId']],
      [labOrder({ requesterId: 'a b' }), ['id at Command.requesterId']],
      [labOrder({ requesterId: 'nobody' }), ['unknown-practitioner at Command.requesterId']],
      [labOrder({ occurrencePeriod: {} }), ['empty at Command.occurrencePeriod']],
      [labOrder({ occurrencePeriod: ended }), ['period-order at Command.occurrencePeriod']],
      [labOrder({ priority: 'high' as 'urgent' }), ['value at Command.priority']],
      [
        labOrder({ occurrencePeriod: { start: '2026' }, occurrenceTiming: { event: ['2026'] } }),
        ['many at Command.occurrenceTiming'],
      ],
      [
        labOrder({ asNeededBoolean: true, asNeededCodeableConcept: { text: 'if dizzy' } }),
        ['many at Command.asNeededCodeableConcept'],
      ],
      [
        labOrder({ quantityQuantity: { value: 1 }, quantityRange: { low: { value: 1 } } }),
        ['many at Command.quantityRange'],
      ],
      [labOrder({ supportingInfo: [{}] }), ['empty at Command.supportingInfo[0]']],
      [
        labOrder({ supportingInfo: [{ reference: 'Flag/f', type: 'Goal' }] }),
        ['reference-type at Command.supportingInfo[0].type'],
      ],
      [labOrder({ note: [{ text: 'x', time: 'now' }] }), ['date-time at Command.note[0].time']],
      [immunize({ lotNumber: ' ' }), ['empty at Command.lotNumber']],
      [goal({ patientId: 'nobody' }), ['unknown-patient at Command.patientId']],
      [{ kind: 'updateGoal', goalId: 'a b' }, ['id at Command.goalId']],
      [{ kind: 'updateGoal', goalId: 'nope' }, ['unknown-goal at Command.goalId']],
      [immunize({ statusReason: { coding: [] } }), ['empty at Command.statusReason.coding']],
      [
        immunize({ status: 'completed', statusReason: reason }),
        ['reason-of-not-done at Command.statusReason'],
      ],
      [
        immunize({ patientId: 'nobody', noteId: 'nope', encounterId: 'nope' }),
        [
          'unknown-patient at Command.patientId',
          'unknown-note at Command.noteId',
          'unknown-encounter at Command.encounterId',
        ],
      ],
    ])('%j', async (command, faults) => {
      expect(await faultsOf(command)).toEqual(faults);
    });

    test('an id that is used already', async () => {
      for (const command of oneCommandOfEach({ id: 'o' })) {
        await clinic().stage(command);
        expect(await faultsOf(command)).toEqual(['command-exists at Command.id']);
      }
    });

    test.each<readonly [string, ChartLimit]>([
      ['within', { within: 'amy' }],
      ['matching', { matching: [] }],
      ['authorize', { authorize: async () => ({}) }],
    ])('an id beside %s, whether or not it is used', async (_, limit) => {
      const { chart } = clinic().records;
      const isRefused = async () => {
        for (const command of oneCommandOfEach({ id: 'o' })) {
          for (const outcome of [
            await outcomeOf(chart.stage(command, limit)),
            await outcomeOf(chart.record(command, { ...by, ...limit })),
          ]) {
            expect(outcome).toMatchObject({
              left: { _tag: 'InvalidRequest', issues: [{ rule: 'chosen-id', expression: 'Command.id' }] },
            });
          }
        }
      };
      await isRefused();
      for (const command of oneCommandOfEach({ id: 'o', patientId: 'ben' })) await clinic().stage(command);
      await isRefused();
    });
  });

  test.each<readonly [string, ChartCommandInput, shown: object, committed: object]>([
    ['ServiceRequest', labOrder({ id: 'c' }), { json: { status: 'draft' } }, { json: { status: 'active' } }],
    ['Goal', goal({ id: 'c' }), { status: 404 }, { json: { lifecycleStatus: 'active' } }],
    ['Immunization', immunize({ id: 'c' }), { status: 404 }, { json: { status: 'completed' } }],
  ])('until its command is committed, a %s is at most a draft', async (type, ...rest) => {
    const [command, shown, committed] = rest;
    const { id } = await clinic().stage(command);
    expect(await clinic().get(`/${type}/c`)).toMatchObject(shown);
    await clinic().commit(id);
    expect(await clinic().get(`/${type}/c`)).toMatchObject(committed);
  });

  test('the author is not a field of a command', async () => {
    const { chart } = clinic().records;
    expect(await outcomeOf(chart.record(goal(), { by: 'Practitioner/nobody' }))).toMatchObject({
      left: { issues: [{ rule: 'unknown-practitioner', expression: 'by' }] },
    });
  });

  describe('the ids of resources and of commands are not confused', () => {
    test('a missing id of a command is reported with the form that it has', async () => {
      const { chart } = clinic().records;
      const { resourceId } = await clinic().record(labOrder());
      for (const id of [resourceId, `ServiceRequest/${resourceId}`, '', 7 as never, undefined as never]) {
        for (const step of ['commit', 'completeOrder', 'reopenOrder', 'discard', 'enterInError'] as const) {
          await expect(async () => chart[step](id, by)).rejects.toMatchObject({
            tag: 'InvalidRequest',
            issues: [{ rule: 'command-id', expression: 'commandId' }],
            message: expect.stringContaining('the id of a command, such as ServiceRequest/7/0'),
          });
        }
      }
    });

    test('so is a missing id of a resource', async () => {
      const { chart } = clinic().records;
      const { id, resourceType } = await clinic().record(goal());
      expect(await outcomeOf(chart.commandsOf({ resourceType, resourceId: id }))).toMatchObject({
        left: { _tag: 'InvalidRequest', issues: [{ rule: 'resource-id', expression: 'Command.resourceId' }] },
      });
      expect(await outcomeOf(chart.stage({ kind: 'closeGoal', goalId: id }))).toMatchObject({
        left: { issues: [{ rule: 'id', expression: 'Command.goalId' }] },
      });
      expect(await outcomeOf(chart.stage(labOrder({ patientId: 'Patient/amy' })))).toMatchObject({
        left: { issues: [{ rule: 'id', expression: 'Command.patientId' }] },
      });
    });
  });

  describe('commandsOf returns the commands of a resource', () => {
    test('as stage and record returned them', async () => {
      const { chart } = clinic().records;
      const order = await clinic().stage(labOrder());
      expect(await behind('ServiceRequest', order.resourceId)).toEqual([order]);
      const shot = await clinic().record(immunize());
      expect(await chart.commandsOf(shot)).toEqual([shot]);
    });

    test('in the order in which they were staged, whatever their status', async () => {
      const made = await clinic().stage(goal());
      expect(await behind('Goal', 'walk')).toEqual([made]);
      await clinic().commit(made.id);
      const update = await clinic().stage({ kind: 'updateGoal', goalId: 'walk', progress: 'Walks' });
      const close = await clinic().record({ kind: 'closeGoal', goalId: 'walk' });
      await clinic().enterInError(close.id);
      await clinic().stage({ kind: 'closeGoal', goalId: 'walk' });
      expect(kinds(await behind('Goal', 'walk'))).toEqual([
        'goal: committed',
        'updateGoal: staged',
        'closeGoal: entered-in-error',
        'closeGoal: staged',
      ]);
      await clinic().commit(update.id);
      expect((await behind('Goal', 'walk'))[1]).toMatchObject({ id: update.id, status: 'committed' });
    });

    test('so that imported ones can be completed, reopened and entered in error', async () => {
      const { importer, serviceRequests, goals, immunizations } = clinic().records;
      await importer.load([
        sourceOrder('amy'),
        sourceGoal('amy', { lifecycleStatus: 'completed', note: [{ text: 'Walks' }] }),
        sourceImmunization('amy'),
      ]);
      const [order] = await behind('ServiceRequest', 's');
      await clinic().completeOrder(order?.id ?? '');
      expect(await serviceRequests.read('s')).toMatchObject({ status: 'completed' });
      const ofGoal = await behind('Goal', 'g');
      expect(kinds(ofGoal)).toEqual(['goal: committed', 'updateGoal: committed', 'closeGoal: committed']);
      await clinic().enterInError(ofGoal[2]?.id ?? '');
      expect(await goals.read('g')).toMatchObject({ lifecycleStatus: 'active' });
      const [shot] = await behind('Immunization', 'i');
      await clinic().enterInError(shot?.id ?? '');
      expect(await immunizations.read('i')).toMatchObject({ status: 'entered-in-error' });
    });

    test.each([
      ['ServiceRequest', 'walk'],
      ['Goal', 'nope'],
      ['Immunization', 'a\0b'],
    ] as const)('or that there is no %s with the id %j', async (resourceType, resourceId) => {
      await clinic().record(goal());
      expect(await outcomeOf(clinic().records.chart.commandsOf({ resourceType, resourceId }))).toMatchObject({
        left: { _tag: 'NotFound', resourceType, id: resourceId },
      });
    });

    test.each(['CareTeam', 'Patient', 'toString', '', undefined])(
      'or that no command makes a %s',
      async (resourceType) => {
        const filter = { resourceType, resourceId: 'amy' } as never;
        expect(await outcomeOf(clinic().records.chart.commandsOf(filter))).toMatchObject({
          left: {
            _tag: 'InvalidRequest',
            issues: [{ rule: 'command-resource', expression: 'Command.resourceType' }],
          },
        });
      },
    );
  });
});
