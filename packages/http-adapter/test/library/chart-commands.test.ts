import type { ChartCommandInput, ChartLimit, ClinicalRecords, CommandPage } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { goal, immunize, labOrder, oneCommandOfEach, statement } from '../builders.ts';
import { openClinic } from '../clinic.ts';
import { outcomeOf } from '../outcome-of.ts';
import { idsOf } from '../response-helpers.ts';
import { onEveryStore } from '../stores.ts';
import { sourceOrder } from './importer/source-resources.ts';

const ada = { by: 'Practitioner/ada' } as const;
const bob = { by: 'Practitioner/bob' } as const;

type StatusReason = { readonly extension: readonly { readonly valueString: string }[] };
type Shown = {
  readonly recorded?: string;
  readonly reason?: unknown;
  readonly _status?: StatusReason;
  readonly _lifecycleStatus?: StatusReason;
};

const idsIn = ({ commands }: CommandPage<ChartCommandInput>) => commands.map(({ id }) => id);

onEveryStore('the commands of charts', (clinic) => {
  const chart = () => clinic().records.chart;
  const search = async (parameters: object = {}) => idsIn(await chart().search(parameters));

  describe('a search finds what was staged and recorded', () => {
    test('by patient, by status and by author, oldest first', async () => {
      await chart().stage(goal(), ada);
      await chart().stage(labOrder({ id: 'blood' }), bob);
      await chart().record(immunize(), ada);
      await chart().stage(labOrder({ id: 'bens', patientId: 'ben' }), ada);
      expect(await search()).toEqual([
        'Goal/walk/0',
        'ServiceRequest/blood/0',
        'Immunization/shot/0',
        'ServiceRequest/bens/0',
      ]);
      expect(await search({ patient: 'amy' })).toEqual([
        'Goal/walk/0',
        'ServiceRequest/blood/0',
        'Immunization/shot/0',
      ]);
      expect(await search({ status: 'staged', patient: 'Patient/amy' })).toEqual([
        'Goal/walk/0',
        'ServiceRequest/blood/0',
      ]);
      expect(await search({ status: 'committed' })).toEqual(['Immunization/shot/0']);
      expect(await search({ status: 'staged', author: 'Practitioner/ada' })).toEqual([
        'Goal/walk/0',
        'ServiceRequest/bens/0',
      ]);
      expect(await search({ author: 'Practitioner/cyd' })).toEqual([]);
    });

    test('by its state now, whichever steps it took', async () => {
      const order = await chart().stage(labOrder({ id: 'blood' }), ada);
      const steps = [
        ['committed', () => chart().commit(order.id, bob)],
        ['completed', () => chart().completeOrder(order.id, bob)],
        ['committed', () => chart().reopenOrder(order.id, ada)],
        ['completed', () => chart().completeOrder(order.id, bob)],
        ['entered-in-error', () => chart().enterInError(order.id, bob)],
      ] as const;
      for (const [status, takeStep] of steps) {
        const command = await takeStep();
        const { commands } = await chart().search({ status, author: 'Practitioner/ada' });
        expect(commands).toEqual([command]);
        expect(await search({ status: 'staged' })).toEqual([]);
      }
      const draft = await chart().stage(labOrder({ id: 'x-ray' }));
      await chart().discard(draft.id, bob);
      expect(await search({ status: 'discarded' })).toEqual(['ServiceRequest/x-ray/0']);
    });

    test('in pages, whose links lead through all of them', async () => {
      for (const id of ['a', 'b', 'c']) await chart().stage(labOrder({ id }));
      const first = await chart().search({ patient: 'amy', _count: 2 });
      expect(first).toMatchObject({
        total: 3,
        commands: [{ id: 'ServiceRequest/a/0' }, { id: 'ServiceRequest/b/0' }],
      });
      const next = first.link.find(({ relation }) => relation === 'next')?.url ?? '';
      expect(next).toMatch(/^commands\?patient=amy&_count=2&_offset=2&_after=/);
      await chart().stage(labOrder({ id: 'd' }));
      expect(await search(new URLSearchParams(next.slice(next.indexOf('?'))))).toEqual([
        'ServiceRequest/c/0',
        'ServiceRequest/d/0',
      ]);
      expect(idsIn(await chart().search({ _sort: '-_lastUpdated', _count: 1 }))).toEqual([
        'ServiceRequest/d/0',
      ]);
    });

    test('but not what an import or a request for an immunization made', async () => {
      await clinic().records.importer.load([sourceOrder('amy')]);
      await clinic().records.immunizations.create(statement());
      await clinic().completeOrder('ServiceRequest/s/0');
      expect(await search()).toEqual([]);
    });

    test('only within the limit of its caller', async () => {
      await chart().stage(goal());
      await chart().stage(labOrder({ id: 'bens', patientId: 'ben' }));
      expect(idsIn(await chart().search({}, { within: 'ben' }))).toEqual(['ServiceRequest/bens/0']);
      expect(idsIn(await chart().search({}, { within: [] }))).toEqual([]);
      await expect(async () => chart().search({ patient: 'amy' }, { within: 'ben' })).rejects.toMatchObject({
        tag: 'Forbidden',
      });
      const authorize = async () => ({ within: ['amy'] });
      expect(idsIn(await chart().search({}, { authorize }))).toEqual(['Goal/walk/0']);
    });

    test.each([
      [{ status: 'active' }, 'search-code at status'],
      [{ kind: 'goal' }, 'unknown-parameter at kind'],
      [{ author: 'Observation/1' }, 'search-reference at author'],
    ])('and refuses %j', async (parameters, expected) => {
      const refused = await outcomeOf(chart().search(parameters as object));
      const issues = 'left' in refused ? refused.left.issues : [];
      expect(issues.map(({ rule, expression }) => `${rule} at ${expression}`)).toEqual([expected]);
    });
  });

  describe('a page of commands that are large ends early', () => {
    test('and the next page goes on with the rest', async () => {
      const patientInstruction = 'x'.repeat(400_000);
      for (const id of ['a', 'b', 'c']) await chart().stage(labOrder({ id, patientInstruction }));
      const first = await chart().search({ _count: 3 });
      expect([first.total, idsIn(first)]).toEqual([3, ['ServiceRequest/a/0', 'ServiceRequest/b/0']]);
      const next = first.link.find(({ relation }) => relation === 'next')?.url ?? '';
      expect(await search(new URLSearchParams(next.slice(next.indexOf('?'))))).toEqual([
        'ServiceRequest/c/0',
      ]);
    });

    test('within the limit of the call, although its caller changes the limit meanwhile', async () => {
      const patientInstruction = 'x'.repeat(400_000);
      for (const [id, patientId] of [
        ['a', 'amy'],
        ['b', 'ben'],
        ['c', 'amy'],
        ['d', 'amy'],
      ] as const)
        await chart().stage(labOrder({ id, patientId, patientInstruction }));
      const within = ['amy'];
      const searched = chart().search({}, { within });
      within.push('ben');
      const page = await searched;
      expect([page.total, idsIn(page)]).toEqual([3, ['ServiceRequest/a/0', 'ServiceRequest/c/0']]);
    });
  });

  describe('a command that is read says', () => {
    test('its steps, with authors and times, and the version of its resource', async () => {
      const staged = await chart().stage(labOrder({ id: 'blood' }), { by: 'Device/lab-advisor' });
      await chart().commit(staged.id, ada);
      await chart().completeOrder(staged.id, bob);
      await chart().reopenOrder(staged.id, ada);
      await chart().enterInError(staged.id, { ...ada, reason: 'Wrong patient.' });
      const at = expect.stringMatching(/^2026-03-01T08:/);
      expect(await chart().read(staged.id)).toEqual({
        id: 'ServiceRequest/blood/0',
        kind: 'labOrder',
        status: 'entered-in-error',
        patientId: 'amy',
        resourceType: 'ServiceRequest',
        resourceId: 'blood',
        version: 5,
        lastUpdated: at,
        staged: { at, by: 'Device/lab-advisor' },
        committed: { at, by: 'Practitioner/ada', byDisplay: 'Ada Byron' },
        completed: { at, by: 'Practitioner/bob', byDisplay: 'Bob Gray' },
        reopened: { at, by: 'Practitioner/ada', byDisplay: 'Ada Byron' },
        enteredInError: { at, by: 'Practitioner/ada', byDisplay: 'Ada Byron', reason: 'Wrong patient.' },
        command: { ...labOrder(), authoredOn: at },
      });
    });

    test('what was sent, so that it can be sent again', async () => {
      await chart().record(goal(), ada);
      const commands: readonly ChartCommandInput[] = [
        goal({
          id: 'other',
          startDate: '2026-01-02',
          dueDate: '2026-06-01',
          priority: 'high-priority',
          achievementStatus: 'in-progress',
          barriers: 'Her knee hurts.',
          category: [{ text: 'Fitness' }],
          identifier: [{ system: 'urn:oid:1.2', value: '7' }],
          meta: { security: [{ code: 'R' }] },
        }),
        { kind: 'updateGoal', goalId: 'walk', dueDate: null, progress: 'Walks', barriers: 'Rain' },
        { kind: 'closeGoal', goalId: 'walk', achievementStatus: 'achieved' },
        labOrder({
          id: 'blood',
          requesterId: 'bob',
          authoredOn: '2026-01-02',
          priority: 'urgent',
          note: [{ text: 'Fasting' }],
        }),
        immunize({
          lotNumber: 'L1',
          site: { text: 'Left arm' },
          doseQuantity: { value: 0.5, unit: 'mL' },
          status: 'completed',
        }),
        immunize({ id: 'declined', status: 'not-done', statusReason: { coding: [{ code: 'PATOBJ' }] } }),
      ];
      for (const sent of commands) {
        const { id: _, ...rest } = { id: undefined, ...sent };
        const { command } = await chart().read((await chart().stage(sent)).id);
        const encounter = sent.kind === 'immunize' ? { encounterId: 'visit-amy' } : {};
        expect(command).toEqual({ ...rest, ...encounter });
        if (sent.kind !== 'immunize') await chart().stage(command);
      }
    });

    test('nothing to a caller who does not reach its chart', async () => {
      const { id } = await chart().stage(goal());
      for (const limit of [
        { within: 'ben' },
        { within: [] },
        { authorize: async () => ({ within: 'ben' }) },
      ]) {
        await expect(async () => chart().read(id, limit)).rejects.toMatchObject({ tag: 'NotFound' });
        await expect(async () =>
          chart().commandsOf({ resourceType: 'Goal', resourceId: 'walk' }, limit),
        ).rejects.toMatchObject({ tag: 'NotFound' });
        await expect(async () => chart().commit(id, { ...ada, ...limit })).rejects.toMatchObject({
          tag: 'NotFound',
        });
      }
      expect(await chart().read(id, { within: 'amy' })).toMatchObject({ status: 'staged' });
    });

    test('its labels to `authorize`, from when it is staged, before it is ever read as a resource', async () => {
      const labels = { security: [{ code: 'R' }], tag: [{ code: 'to-review' }] };
      const asked: unknown[] = [];
      const authorize = async (reached: unknown) => {
        asked.push(reached);
        return { within: 'amy' };
      };
      const { id, resourceId } = await chart().stage(goal({ id: undefined, meta: labels }), { authorize });
      await chart().read(id, { authorize });
      await chart().commandsOf({ resourceType: 'Goal', resourceId }, { authorize });
      await chart().commit(id, { ...ada, authorize });
      await chart().stage({ kind: 'closeGoal', goalId: resourceId }, { authorize });
      const patientIds = ['amy'];
      expect(asked).toEqual([
        { id: null, patientIds, labels },
        { id, patientIds, labels },
        { id: null, patientIds, labels },
        { id, patientIds, labels },
        { id: null, patientIds, labels },
      ]);
    });

    test.each(['Goal/none/0', 'Goal/walk/1'])('nothing if there is none: %s', async (id) => {
      await chart().stage(goal());
      await expect(async () => chart().read(id)).rejects.toMatchObject({
        error: { _tag: 'NotFound', resourceType: 'Command', id },
      });
    });
  });

  describe('a staged command is discarded', () => {
    test('and a draft order then reads as entered in error, with the reason', async () => {
      const { id } = await chart().stage(labOrder({ id: 'blood' }));
      expect(await chart().discard(id, { ...bob, reason: 'Ordered twice.' })).toMatchObject({
        status: 'discarded',
        discarded: { by: 'Practitioner/bob', reason: 'Ordered twice.' },
      });
      expect((await clinic().get('/ServiceRequest/blood')).json).toMatchObject({
        status: 'entered-in-error',
        _status: {
          extension: [{ url: expect.stringMatching(/\/status-reason$/), valueString: 'Ordered twice.' }],
        },
      });
    });

    test.each([goal({ id: 'c' }), immunize({ id: 'c' })])(
      'and a %s was never readable, and stays so',
      async (command) => {
        const { id, resourceType } = await chart().stage(command);
        await chart().discard(id, bob);
        expect((await clinic().get(`/${resourceType}/c`)).status).toBe(404);
        expect(idsOf(await clinic().get(`/${resourceType}?patient=amy`))).toEqual([]);
      },
    );

    test('and its id is not used again', async () => {
      for (const command of oneCommandOfEach({ id: 'c' })) {
        await chart().discard((await chart().stage(command)).id, bob);
        expect(await outcomeOf(chart().stage(command))).toMatchObject({
          left: { issues: [{ rule: 'command-exists' }] },
        });
      }
    });

    test('and repeating it changes nothing', async () => {
      const { id } = await chart().stage(labOrder({ id: 'blood' }));
      const discarded = await chart().discard(id, { ...bob, reason: 'Ordered twice.' });
      expect(await chart().discard(id, { ...ada, reason: 'Another.' })).toEqual(discarded);
    });

    test('and an update of a goal then has no effect', async () => {
      await chart().record(goal({ priority: 'low-priority' }), ada);
      const { id } = await chart().stage({ kind: 'updateGoal', goalId: 'walk', priority: 'high-priority' });
      await chart().discard(id, bob);
      expect((await clinic().get('/Goal/walk')).json.priority.coding[0].code).toBe('low-priority');
      expect(await outcomeOf(chart().commit(id, ada))).toMatchObject({
        left: { issues: [{ rule: 'not-staged' }] },
      });
    });

    test('and a goal that was discarded cannot be updated', async () => {
      const { id } = await chart().stage(goal());
      const update = await chart().stage({ kind: 'updateGoal', goalId: 'walk', progress: 'Walks' });
      await chart().discard(id, bob);
      expect(await outcomeOf(chart().stage({ kind: 'closeGoal', goalId: 'walk' }))).toMatchObject({
        left: { issues: [{ rule: 'unknown-goal', expression: 'Command.goalId' }] },
      });
      expect(await outcomeOf(chart().commit(update.id, ada))).toMatchObject({
        left: { issues: [{ rule: 'unknown-goal' }] },
      });
    });

    test('but not what is committed', async () => {
      const { id } = await chart().record(labOrder(), ada);
      expect(await outcomeOf(chart().discard(id, bob))).toMatchObject({
        left: { _tag: 'RuleViolation', issues: [{ rule: 'not-discardable' }] },
      });
    });
  });

  describe('a reason', () => {
    test.each([
      ['ServiceRequest', labOrder({ id: 'c' }), '_status'],
      ['Goal', goal({ id: 'c' }), '_lifecycleStatus'],
      ['Immunization', immunize({ id: 'c' }), '_status'],
    ] as const)(
      'why a %s was entered in error is read with it, in its history and in its Provenance',
      async (type, command, element) => {
        const { id } = await chart().record(command, ada);
        await chart().enterInError(id, { ...bob, reason: 'Wrong patient.' });
        await clinic().records.corrections.moveToPatient({
          ...{ resourceType: type, resourceId: 'c', toPatientId: 'ben', ...ada, reason: 'It was of Ben.' },
        });
        const { get } = clinic();
        expect((await get(`/${type}/c`)).json[element].extension[0].valueString).toBe('Wrong patient.');
        const { entry } = (await get(`/${type}/c/_history`)).json;
        expect(
          entry.map(({ resource }: { resource: Shown }) => resource[element]?.extension[0]?.valueString),
        ).toEqual(['Wrong patient.', 'Wrong patient.', undefined]);
        const provenances = (await get(`/Provenance?target=${type}/c`)).json.entry;
        expect(provenances.map(({ resource }: { resource: Shown }) => resource.reason)).toEqual([
          undefined,
          [{ text: 'Wrong patient.' }],
          undefined,
        ]);
        const [{ resource }] = (await get(`/${type}?_id=c&_revinclude=Provenance:target`)).json.entry;
        expect(resource.status ?? resource.lifecycleStatus).toBe('entered-in-error');
      },
    );

    test('why an update of a goal was entered in error is in its Provenance', async () => {
      await chart().record(goal(), ada);
      const { id } = await chart().record({ kind: 'updateGoal', goalId: 'walk', progress: 'Walks' }, ada);
      await chart().enterInError(id, { ...bob, reason: 'Another patient walked.' });
      const { entry } = (await clinic().get('/Goal?_id=walk&_revinclude=Provenance:target')).json;
      expect(entry[1].resource).toMatchObject({
        resourceType: 'Provenance',
        reason: [{ text: 'Another patient walked.' }],
      });
      expect(entry[0].resource._lifecycleStatus).toBe(undefined);
    });

    test('is in no other Provenance of the same author and time, such as while a clock that was set back catches up', async () => {
      await chart().record(goal(), bob);
      clinic().clock.at('2026-02-01T08:00:00Z');
      const { id } = await chart().record({ kind: 'updateGoal', goalId: 'walk', progress: 'Walks' }, bob);
      await chart().enterInError(id, { ...bob, reason: 'Another patient walked.' });
      await chart().record({ kind: 'closeGoal', goalId: 'walk' }, bob);
      const { entry } = (await clinic().get('/Provenance?target=Goal/walk')).json;
      const shown: readonly Shown[] = entry.map(({ resource }: { resource: Shown }) => resource);
      expect(new Set(shown.map(({ recorded }) => recorded)).size).toBe(1);
      expect(shown.map(({ reason }) => reason)).toEqual([
        undefined,
        undefined,
        [{ text: 'Another patient walked.' }],
        undefined,
      ]);
    });

    test('is in the Provenance of its version, also if a transaction writes several', async () => {
      await clinic().records.transaction(async (tx) => {
        await tx.chart.record(goal(), ada);
        const { id } = await tx.chart.record({ kind: 'updateGoal', goalId: 'walk', progress: 'Walks' }, ada);
        await tx.chart.enterInError(id, { ...bob, reason: 'Another patient walked.' });
        await tx.chart.record({ kind: 'closeGoal', goalId: 'walk' }, bob);
      });
      const { entry } = (await clinic().get('/Provenance?target=Goal/walk')).json;
      expect(entry.map(({ resource }: { resource: Shown }) => resource.reason)).toEqual([
        undefined,
        undefined,
        [{ text: 'Another patient walked.' }],
        undefined,
      ]);
    });

    test('is a text that is not blank', async () => {
      const { id } = await chart().record(goal(), ada);
      for (const reason of ['', ' ', 7 as never]) {
        expect(await outcomeOf(chart().enterInError(id, { ...bob, reason }))).toMatchObject({
          left: { _tag: 'InvalidRequest', issues: [{ expression: 'Command.reason' }] },
        });
      }
    });
  });

  test('what is only staged is discarded, and not entered in error', async () => {
    for (const command of oneCommandOfEach({ id: 'c' })) {
      const { id } = await chart().stage(command);
      expect(await outcomeOf(chart().enterInError(id, bob))).toMatchObject({
        left: { _tag: 'RuleViolation', issues: [{ rule: 'not-committed' }] },
      });
    }
  });

  test('a command changes a goal only if it has the version that was expected', async () => {
    const { version } = await chart().record(goal(), ada);
    const update = { kind: 'updateGoal', goalId: 'walk', progress: 'Walks' } as const;
    await chart().record(update, { ...ada, ifMatch: [version] });
    for (const late of [{ ifMatch: [version] }, { ifUnmodifiedSince: new Date(0) }]) {
      for (const change of [chart().record(update, { ...ada, ...late }), chart().stage(update, late)]) {
        await expect(change).rejects.toMatchObject({ tag: 'PreconditionFailed' });
      }
    }
    expect((await clinic().records.goals.read('walk')).note).toHaveLength(1);
  });

  describe('a step is taken only', () => {
    test('if the resource has the version that was expected', async () => {
      const { id, version } = await chart().stage(goal());
      await chart().stage({ kind: 'updateGoal', goalId: 'walk', progress: 'Walks' });
      await expect(async () => chart().commit(id, { ...ada, ifMatch: [version] })).rejects.toMatchObject({
        tag: 'PreconditionFailed',
        issues: [{ rule: 'if-match' }],
      });
      expect(await chart().commit(id, { ...ada, ifMatch: [version + 1] })).toMatchObject({
        status: 'committed',
        version: 3,
      });
    });

    test('once for an idempotency key', async () => {
      const idempotencyKey = 'k-1';
      const sent = { ...ada, idempotencyKey };
      const staged = await chart().stage(goal(), sent);
      expect(await chart().stage(goal(), sent)).toEqual(staged);
      const committed = await chart().commit(staged.id, { ...sent, idempotencyKey: 'k-2' });
      await chart().enterInError(staged.id, bob);
      expect(await chart().commit(staged.id, { ...sent, idempotencyKey: 'k-2' })).toEqual(committed);
      expect(await outcomeOf(chart().record(goal(), sent))).toMatchObject({
        left: { issues: [{ rule: 'idempotency-key-reused' }] },
      });
      await expect(async () =>
        chart().stage(goal({ id: undefined }), { ...sent, within: 'ben' }),
      ).rejects.toMatchObject({
        tag: 'Forbidden',
      });
      await expect(async () =>
        chart().commit(staged.id, { ...sent, idempotencyKey: 'k-2', within: 'ben' }),
      ).rejects.toMatchObject({ tag: 'Forbidden' });
    });

    test('by a practitioner who is known', async () => {
      const { id } = await chart().stage(goal());
      const step = async (by: unknown) => outcomeOf(chart().commit(id, { by } as never));
      expect(await step('Practitioner/nobody')).toMatchObject({
        left: { _tag: 'RuleViolation', issues: [{ rule: 'unknown-practitioner', expression: 'by' }] },
      });
      for (const by of ['Patient/amy', 'https://other.example/Practitioner/ada', undefined]) {
        expect(await step(by)).toMatchObject({
          left: { _tag: 'InvalidRequest', issues: [{ rule: 'by-required', expression: 'by' }] },
        });
      }
    });
  });

  test.each<[by: string, limit: ChartLimit]>([
    ['its limit', { within: 'ben' }],
    ['`authorize`', { authorize: async () => ({ within: 'ben' }) }],
  ])(
    'a command is added only to a chart that its sender reaches by %s, and tells nothing of others',
    async (_, within) => {
      await chart().record(goal(), ada);
      const limit = { ...ada, ...within };
      await expect(async () => chart().stage(labOrder({ id: undefined }), limit)).rejects.toMatchObject({
        tag: 'Forbidden',
      });
      expect(await outcomeOf(chart().stage({ kind: 'closeGoal', goalId: 'walk' }, limit))).toMatchObject({
        left: { _tag: 'RuleViolation', issues: [{ rule: 'unknown-goal', expression: 'Command.goalId' }] },
      });
      expect(
        await outcomeOf(
          chart().stage(immunize({ id: undefined, patientId: 'ben', noteId: 'note-amy' }), limit),
        ),
      ).toMatchObject({
        left: { issues: [{ rule: 'unknown-note' }] },
      });
      expect(await chart().record(labOrder({ patientId: 'ben' }), limit)).toMatchObject({
        status: 'committed',
      });
    },
  );

  test('a goal is expressed by the author of its command', async () => {
    const expressedBy = { reference: 'Practitioner/ada' } as const;
    expect(await chart().record(goal({ expressedBy }), ada)).toMatchObject({ status: 'committed' });
    for (const add of ['stage', 'record'] as const) {
      expect(await outcomeOf(chart()[add](goal({ id: 'other', expressedBy }), bob))).toMatchObject({
        left: {
          _tag: 'RuleViolation',
          issues: [{ rule: 'expressed-by-other', expression: 'Command.expressedBy' }],
        },
      });
    }
  });

  test('the author of a staged order is that of its first version', async () => {
    await chart().stage(labOrder({ id: 'blood' }), bob);
    const [version] = await clinic().records.serviceRequests.history('blood');
    expect(version).toMatchObject({ version: 1, by: 'Practitioner/bob' });
  });

  describe('a correction', () => {
    const correction = { ...ada, reason: 'It was of Ben.' };

    test('that moves a record moves its commands', async () => {
      await chart().record(goal(), ada);
      await chart().stage({ kind: 'updateGoal', goalId: 'walk', progress: 'Walks' }, bob);
      await clinic().records.corrections.moveToPatient({
        ...{ resourceType: 'Goal', resourceId: 'walk', toPatientId: 'ben', ...correction },
      });
      expect(await search({ patient: 'amy' })).toEqual([]);
      expect(await search({ patient: 'ben' })).toEqual(['Goal/walk/0', 'Goal/walk/1']);
    });

    test('that merges a patient merges the commands', async () => {
      await chart().stage(goal(), ada);
      await clinic().records.corrections.mergePatients({
        patientId: 'amy',
        toPatientId: 'ben',
        ...correction,
      });
      expect(await search({ patient: 'ben', status: 'staged' })).toEqual(['Goal/walk/0']);
      expect(await chart().commit('Goal/walk/0', ada)).toMatchObject({
        patientId: 'ben',
        status: 'committed',
      });
    });

    test('that erases a resource erases its commands', async () => {
      await chart().stage(goal(), { by: 'Patient/amy' });
      await clinic().records.corrections.erase({ resourceType: 'Goal', resourceId: 'walk', ...correction });
      expect(await search()).toEqual([]);
      expect(JSON.stringify(await clinic().feed())).not.toContain('"author":"Patient/amy"');
    });
  });
});

test('whatever is done in a chart, a search finds each command in the state in which it is read', async () => {
  const steps = fc.array(
    fc.record({
      index: fc.nat(3),
      step: fc.constantFrom('commit', 'completeOrder', 'reopenOrder', 'discard', 'enterInError'),
    }),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const { records } = await openClinic(createMemoryStore());
      const { chart } = records;
      const commands = [goal(), labOrder(), immunize(), { kind: 'closeGoal', goalId: 'walk' } as const];
      const ids: string[] = [];
      for (const command of commands) ids.push((await chart.stage(command, ada)).id);
      for (const { index, step } of taken) await outcomeOf(chart[step](ids[index] ?? '', ada));
      const read = await Promise.all(ids.map(async (id) => chart.read(id)));
      expect((await chart.search({})).commands).toEqual(read);
      for (const status of ['staged', 'committed', 'completed', 'discarded', 'entered-in-error'] as const) {
        const found = idsIn(await chart.search({ status }));
        expect(found).toEqual(read.filter((command) => command.status === status).map(({ id }) => id));
      }
    }),
    { numRuns: 30 },
  );
});

const ofWalk = { ...ada, resourceType: 'Goal', resourceId: 'walk', reason: 'Wrong chart.' } as const;

test.each<[correction: string, correct: (records: ClinicalRecords) => Promise<unknown>]>([
  ['moved', ({ corrections }) => corrections.moveToPatient({ ...ofWalk, toPatientId: 'ben' })],
  ['erased', ({ corrections }) => corrections.erase(ofWalk)],
])(
  'a search does not show a command that was %s between when it was found and when it is read',
  async (_, correct) => {
    const store = createMemoryStore();
    let meanwhile = async (): Promise<unknown> => null;
    const { records } = await openClinic({
      ...store,
      search: async (query) => {
        const found = await store.search(query);
        if (query.type === 'Command') await meanwhile();
        return found;
      },
    });
    await records.chart.stage(goal());
    await records.chart.stage(labOrder({ id: 'blood' }));
    meanwhile = () => correct(records);
    const { commands, total } = await records.chart.search({ patient: 'amy' }, { within: 'amy' });
    expect([commands.map(({ id }) => id), total]).toEqual([['ServiceRequest/blood/0'], 2]);
  },
);
