import { describe, expect, test } from 'vitest';
import { createBodyParser } from '../../src/fhir/parse-body.ts';
import { createBodySchema, toGoalCommand, updateBodySchema } from '../../src/goal/bodies.ts';
import { achievementStatuses, priorities } from '../../src/goal/model.ts';
import { expectInvalid, rightOf } from '../results.ts';

const create = createBodyParser(createBodySchema, 'Goal');
const update = createBodyParser(updateBodySchema, 'Goal');
const body = {
  lifecycleStatus: 'proposed',
  description: { text: 'Walk every day' },
  subject: { reference: 'Patient/p1' },
};
const achievement = { coding: [{ system: achievementStatuses.system, code: 'improving' }] };
const priority = { coding: [{ system: priorities.system, code: 'low-priority', display: 'Low' }] };
const command = (rest: object = {}) => toGoalCommand(rightOf(create({ ...body, ...rest }, 'lenient')));

describe('a goal that is created is a goal command', () => {
  test('with only the required elements', () => {
    expect(command()).toEqual({ kind: 'goal', patientId: 'p1', description: 'Walk every day' });
  });

  test('with all elements that can be sent', () => {
    const all = {
      resourceType: 'Goal',
      lifecycleStatus: 'active',
      startDate: '2026-01',
      target: [{ dueDate: '2026-06-01' }],
      achievementStatus: achievement,
      priority,
      note: [{ text: 'Walks already.' }],
    };
    expect(command(all)).toEqual({
      ...{ kind: 'goal', patientId: 'p1', description: 'Walk every day' },
      ...{ startDate: '2026-01', dueDate: '2026-06-01', priority: 'low-priority' },
      ...{ achievementStatus: 'improving', progress: 'Walks already.' },
    });
    expect(create({ ...body, ...all }, 'strict')).toMatchObject({ _tag: 'Right' });
  });

  test('an empty array counts as omitted', () => {
    expect(command({ target: [], note: [] })).toEqual(command());
  });
});

describe('a body is refused at its element', () => {
  test.each<[element: string, rule: string, fields: object]>([
    ['lifecycleStatus', 'required', { lifecycleStatus: undefined }],
    ['lifecycleStatus', 'value', { lifecycleStatus: 'completed' }],
    ['subject', 'required', { subject: undefined }],
    ['subject.reference', 'reference', { subject: { reference: 'Group/g1' } }],
    ['description', 'required', { description: undefined }],
    ['description.text', 'required', { description: { coding: [{ code: 'walk' }] } }],
    ['startDate', 'date', { startDate: 'today' }],
    ['target', 'many', { target: [{ dueDate: '2026' }, { dueDate: '2027' }] }],
    ['target[0].dueDate', 'required', { target: [{ measure: { text: 'steps' } }] }],
    ['priority.coding', 'empty', { priority: { coding: [] } }],
    ['priority.coding', 'many', { priority: { coding: [...priority.coding, ...priority.coding] } }],
    ['priority.coding[0].system', 'value', { priority: achievement }],
    ['note', 'many', { note: [{ text: 'one' }, { text: 'two' }] }],
  ])('%s: %s', (element, rule, fields) => {
    const sent = create({ ...body, ...fields }, 'lenient');
    expect(sent).toMatchObject({
      _tag: 'Left',
      left: {
        issues: expect.arrayContaining([expect.objectContaining({ rule, expression: `Goal.${element}` })]),
      },
    });
  });

  test('an update has an id, is active, and has as many notes as were staged', () => {
    expectInvalid(update(body, 'lenient'), 'required at Goal.id', 'value at Goal.lifecycleStatus');
    const sent = { ...body, id: 'g1', lifecycleStatus: 'active', note: [{ text: 'one' }, { text: 'two' }] };
    expect(rightOf(update(sent, 'strict'))).toEqual(sent);
  });

  test('an element of FHIR that is not stored is refused only under strict handling', () => {
    const sent = { ...body, expressedBy: { reference: 'Practitioner/dr-1' } };
    expect(rightOf(create(sent, 'lenient'))).toEqual(body);
    expectInvalid(create(sent, 'strict'), 'not-stored at Goal.expressedBy');
  });
});
