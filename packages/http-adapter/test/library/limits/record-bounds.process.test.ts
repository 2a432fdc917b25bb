import type { ChartCommandInput } from '@clinical-records/core';
import { describe, expect, test } from 'vitest';
import { goal, immunize, labOrder, statement } from '../../builders.ts';
import { createHandler, createSender } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { onEveryStore } from '../../stores.ts';
import { createLoader, leftOutMessage } from '../host/create-loader.ts';
import { sourceGoal, sourceImmunization, sourceOrder } from '../importer/source-resources.ts';

const maxCommands = 500;
const maxBytes = 512 * 1024;
const by = { by: 'Practitioner/ada' } as const;
const of = { resourceType: 'Goal', resourceId: 'g' } as const;

const sourceNotes = (count: number, text = 'Walks') => Array.from({ length: count }, () => ({ text }));

onEveryStore('The bounds of a record of commands', (clinic) => {
  const chart = () => clinic().records.chart;
  const load = createLoader(clinic);
  const update = (fields: object = {}) => ({ kind: 'updateGoal', goalId: 'g', ...fields }) as const;
  const close = (fields: object = {}) => ({ kind: 'closeGoal', goalId: 'g', ...fields }) as const;
  const record = (command: ChartCommandInput) => clinic().record(command);
  const stage = (command: ChartCommandInput) => clinic().stage(command);
  const isRefused = async (rule: string, call: Promise<unknown>) =>
    expect(await outcomeOf(call)).toMatchObject({ left: { _tag: 'RuleViolation', issues: [{ rule }] } });

  /** Imports a goal with so many commands, one for each note beside its first. */
  const importGoal = (commands: number, rest: object = {}) =>
    load(sourceGoal('amy', { note: sourceNotes(commands - 1), ...rest }));
  /** Imports a goal whose record has nearly as many bytes as it can have. */
  const importLargeGoal = (spare: number) =>
    load(sourceGoal('amy', { description: { text: 'ü'.repeat((maxBytes - spare) / 2) } }));

  describe('a goal with 500 commands', () => {
    test('has had one more before, and is updated no more: neither staged nor recorded', async () => {
      await importGoal(maxCommands - 1);
      await record(update({ progress: 'The last one.' }));
      await isRefused('record-full', record(update()));
      await isRefused('record-full', stage(update()));
      expect(await chart().commandsOf(of)).toHaveLength(maxCommands);
    });

    test('is closed, reopened and closed again, but not staged to be closed, nor closed with a long text', async () => {
      await importGoal(maxCommands);
      await isRefused('record-full', stage(close()));
      await isRefused('record-full', record(close({ progress: 'x'.repeat(5_000) })));
      const closed = await record(close({ statusReason: 'He walks 5 km.' }));
      await clinic().enterInError(closed.id);
      await record(close());
      expect(await clinic().records.goals.read('g')).toMatchObject({ lifecycleStatus: 'completed' });
    });

    test('is closed a hundred times at most', async () => {
      await importGoal(maxCommands);
      for (let at = 0; at < 100; at += 1) await clinic().enterInError((await record(close())).id);
      await isRefused('record-full', record(close()));
    });

    test('has its steps, is moved to another chart, and merged with it', async () => {
      await importGoal(maxCommands - 2);
      const [committed, discarded] = [await stage(update()), await stage(update())];
      await isRefused('record-full', stage(update()));
      await clinic().commit(committed.id);
      await clinic().discard(discarded.id);
      await clinic().enterInError(committed.id);
      const { corrections, goals } = clinic().records;
      const why = { ...by, reason: 'Wrong chart.' };
      await corrections.moveToPatient({ ...of, toPatientId: 'ben', ...why });
      await corrections.mergePatients({ patientId: 'ben', toPatientId: 'amy', ...why });
      expect(await goals.read('g')).toMatchObject({ subject: { reference: 'Patient/amy' } });
      await clinic().enterInError('Goal/g/0');
      expect(await goals.read('g')).toMatchObject({ lifecycleStatus: 'entered-in-error' });
    });
  });

  describe('a goal of nearly 512 KiB', () => {
    test('gets what fits, counted in UTF-8, and no further text', async () => {
      await importLargeGoal(4_000);
      await record(update({ progress: 'x'.repeat(2_000) }));
      await isRefused('record-full', record(update({ progress: 'ü'.repeat(1_000) })));
      await isRefused('record-full', stage(update({ barriers: 'x'.repeat(2_000) })));
    });

    test('is closed, and entered in error for a reason', async () => {
      await importLargeGoal(500);
      const { id } = await record(close({ statusReason: 'ü'.repeat(1_000) }));
      await chart().enterInError(id, { ...by, reason: 'ü'.repeat(1_000) });
      await isRefused('record-full', record(update()));
    });
  });

  test.each<[kind: string, command: ChartCommandInput]>([
    ['a goal', goal({ description: 'x'.repeat(maxBytes) })],
    ['an order', labOrder({ note: [{ text: 'x'.repeat(maxBytes) }] })],
    ['a dose', immunize({ note: [{ text: 'x'.repeat(maxBytes) }] })],
  ])('%s of more than 512 KiB is refused', async (_, command) => {
    const before = await clinic().feed();
    await isRefused('record-full', stage(command));
    await isRefused('record-full', record(command));
    expect(await clinic().feed()).toEqual(before);
  });

  test('so is one over HTTP, if the host takes such bodies', async () => {
    const { records } = clinic();
    const send = createSender(createHandler(records, { bodyLimit: 2 ** 20, chartCommands: true }));
    const note = [{ text: 'x'.repeat(maxBytes) }];
    for (const [path, body] of [
      ['/Immunization', statement({ note })],
      ['/commands', labOrder({ note })],
    ] as const) {
      const { status, json } = await send('POST', path, { body });
      expect([status, json.issue[0].details.coding[0].code]).toEqual([422, 'record-full']);
    }
  });

  describe('the staged commands of a goal', () => {
    test('are 20 at most, so that the proposals of others do not fill it', async () => {
      await importGoal(1);
      const staged = [];
      for (let at = 0; at < 20; at += 1) staged.push(await stage(update({ progress: 'Walks' })));
      await isRefused('too-many-staged', stage(update()));
      await isRefused('too-many-staged', stage(close()));
      await record(update({ progress: 'Walks a mile.' }));
      await clinic().discard(staged[0]?.id ?? '');
      await stage(update());
      await isRefused('too-many-staged', stage(update()));
      await clinic().commit(staged[1]?.id ?? '');
      await stage(close());
    });

    test('have 128 KiB at most', async () => {
      await importGoal(1);
      const { id } = await stage(update({ progress: 'ü'.repeat(40_000) }));
      await isRefused('too-many-staged', stage(update({ progress: 'ü'.repeat(40_000) })));
      await record(update({ progress: 'ü'.repeat(40_000) }));
      await clinic().commit(id);
      await stage(update({ progress: 'ü'.repeat(40_000) }));
    });

    test('do not count the one that begins the goal', async () => {
      await stage(goal({ id: 'g', description: 'x'.repeat(200_000) }));
      expect(await stage(update({ progress: 'x'.repeat(100_000) }))).toMatchObject({ status: 'staged' });
    });
  });

  describe('an import beyond the bounds keeps the rest, and reports', () => {
    test('the notes beyond 500 commands, each time that it is loaded', async () => {
      const resource = sourceGoal('amy', { lifecycleStatus: 'completed', note: sourceNotes(maxCommands) });
      const problems = [498, 499].map((index) => `g: Goal.note[${index}]: ${leftOutMessage}`);
      expect(await load(resource)).toEqual({ imported: { Goal: 1 }, problems });
      expect(await chart().commandsOf(of)).toHaveLength(maxCommands);
      expect(await load(resource)).toEqual({ imported: {}, problems });
    });

    test.each<[type: string, resource: (rest: object) => object]>([
      ['Goal', (rest) => sourceGoal('amy', rest)],
      ['ServiceRequest', (rest) => sourceOrder('amy', rest)],
      ['Immunization', (rest) => sourceImmunization('amy', rest)],
    ])('the notes of a %s beyond 512 KiB', async (type, resource) => {
      const note = sourceNotes(6, 'ü'.repeat(50_000));
      const large = resource({ id: 'large', note });
      const problems = [`large: ${type}.note[5]: ${leftOutMessage}`];
      expect(await load(large)).toEqual({ imported: { [type]: 1 }, problems });
      expect(await load(large)).toEqual({ imported: {}, problems });
      expect((await clinic().get(`/${type}/large`)).json.note).toHaveLength(5);
    });

    test('a resource that is too large without its notes, and nothing of it is imported', async () => {
      const category = [{ text: 'x'.repeat(maxBytes) }];
      const { imported, problems } = await load(
        sourceGoal('amy', { id: 'large', category, note: sourceNotes(2) }),
        sourceGoal('amy', { id: 'numbered', identifier: [{ value: 'x'.repeat(maxBytes) }] }),
        sourceGoal('amy'),
      );
      expect(imported).toEqual({ Goal: 1 });
      const message = 'The record would have more than 500 commands, or more than 512 KiB.';
      expect(problems).toEqual([`large: ${message}`, `numbered: ${message}`]);
    });
  });

  test('a reason has 1,000 characters at most', async () => {
    const { id } = await record(goal());
    expect(await outcomeOf(chart().enterInError(id, { ...by, reason: 'x'.repeat(1_001) }))).toMatchObject({
      left: { _tag: 'InvalidRequest', issues: [{ rule: 'text-length', expression: 'Command.reason' }] },
    });
    await chart().enterInError(id, { ...by, reason: 'x'.repeat(1_000) });
  });
});
