import { expect, test } from 'vitest';
import { resolveCondition } from '../../src/search/resolve-condition.ts';

const keys = ['Goal reference subject Patient 1', 'Goal date start  '];
const resolve = (condition: Parameters<typeof resolveCondition>[1]) =>
  resolveCondition('Goal', condition, ({ type, kind, parameter, system, code }) => {
    const key = keys.indexOf([type, kind, parameter, system, code].join(' '));
    return key === -1 ? null : key;
  });
const year = { prefix: 'eq', from: 0, until: 10 } as const;

test('references and dates are found by the keys of their terms', () => {
  const patient = { type: 'Patient', id: '1' };
  expect(resolve({ on: 'reference', parameter: 'subject', anyOf: [patient, patient] })).toEqual({
    on: 'term',
    anyOf: [0],
  });
  expect(resolve({ on: 'date', parameter: 'start', anyOf: [year] })).toMatchObject({ on: 'date', term: 1 });
});

test('a condition without terms remains as it is', () => {
  expect(resolve({ on: 'id', anyOf: ['a'] })).toEqual({ on: 'id', anyOf: ['a'] });
  expect(resolve({ on: 'at', anyOf: [year] })).toMatchObject({ on: 'at', anyOf: [{ prefix: 'eq' }] });
});

test('any date is a date that begins at some time, and any other entry remains as it is', () => {
  expect(resolve({ on: 'entry', kind: 'date', parameter: 'start' })).toMatchObject({
    on: 'date',
    term: 1,
    anyOf: [{ prefix: 'gt' }],
  });
  const reference = { on: 'entry', kind: 'reference', parameter: 'subject' } as const;
  expect(resolve(reference)).toEqual(reference);
});

test('a condition that no record can meet is null', () => {
  expect(resolve({ on: 'patient', anyOf: [] })).toBeNull();
  expect(resolve({ on: 'at', anyOf: [] })).toBeNull();
  expect(resolve({ on: 'date', parameter: 'due', anyOf: [year] })).toBeNull();
  expect(resolve({ on: 'entry', kind: 'date', parameter: 'due' })).toBeNull();
  expect(
    resolve({ on: 'reference', parameter: 'subject', anyOf: [{ type: 'Patient', id: '2' }] }),
  ).toBeNull();
});
