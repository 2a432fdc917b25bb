import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commandId, parseCommandId, statusOf } from '../../src/chart/command.ts';
import { committed, completed, inError, orderBody, reopened, staged } from '../builders.ts';

describe('the id of a command', () => {
  test('consists of its record and its place among the commands of that record', () => {
    expect(commandId({ type: 'Goal', id: 'g1', index: 2 })).toBe('Goal/g1/2');
    expect(parseCommandId('Goal/g1/2')).toEqual({ type: 'Goal', id: 'g1', index: 2 });
  });

  test('names the record and the place that it was made from', () => {
    const refs = fc.record({
      type: fc.constantFrom('ServiceRequest' as const, 'Goal' as const, 'Immunization' as const),
      id: fc.stringMatching(/^[A-Za-z0-9.-]{1,64}$/),
      index: fc.nat(),
    });
    fc.assert(
      fc.property(refs, (ref) => {
        expect(parseCommandId(commandId(ref))).toEqual(ref);
      }),
    );
  });

  test.each([
    '',
    'Goal/g1',
    'Goal/g1/',
    'Goal//0',
    'Goal/g1/x',
    'Goal/g1/-1',
    'Goal/g1/1.5',
    'Goal/g1/0/1',
    'Goal/g1/00',
    'CareTeam/p1/0',
    'Patient/p1/0',
    'goal/g1/0',
    'xGoal/g1/0',
    'Goal/g1/0\n',
  ])('is not %j', (text) => {
    expect(parseCommandId(text)).toBeNull();
  });
});

test.each([
  ['staged', staged(orderBody())],
  ['committed', committed(orderBody(), 1)],
  ['completed', completed(committed(orderBody(), 1))],
  ['committed', reopened(completed(committed(orderBody(), 1)))],
  ['entered-in-error', inError(reopened(completed(committed(orderBody(), 1))))],
  ['entered-in-error', inError(staged(orderBody()))],
  ['entered-in-error', inError(committed(orderBody(), 1))],
  ['entered-in-error', inError(completed(committed(orderBody(), 1)))],
] as const)('a command is %s', (status, command) => {
  expect(statusOf(command)).toBe(status);
});
