import { expect, test } from 'vitest';
import { joinTimes, resolveCondition } from '../../src/search/resolve-condition.ts';
import type { DatePrefix } from '../../src/store/query.ts';

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

const due = (prefix: DatePrefix, from: number, more: object = { isSingle: true }) =>
  ({ on: 'date', parameter: 'start', anyOf: [{ prefix, from, until: from + 1 }], ...more }) as const;
const at = (prefix: DatePrefix, from: number) =>
  ({ on: 'at', anyOf: [{ prefix, from, until: from + 1 }] }) as const;
const end = (prefix: DatePrefix, from: number) => ({ end: { prefix, from, until: from + 1 } });

test('the beginning and the end of the only time of a record are joined, in any order', () => {
  const patient = { on: 'patient', anyOf: ['1'] } as const;
  expect(joinTimes([patient, due('lt', 9), due('ge', 3)])).toEqual([
    patient,
    { ...due('ge', 3), ...end('lt', 9) },
  ]);
  expect(joinTimes([at('sa', 3), patient, at('le', 9)])).toEqual([
    { ...at('sa', 3), ...end('le', 9) },
    patient,
  ]);
  const [joined] = joinTimes([due('gt', 3), due('eb', 9)]).map((condition) => resolve(condition as never));
  expect(joined).toMatchObject({ on: 'date', term: 1, anyOf: [{ prefix: 'gt' }], ...end('eb', 9) });
});

test.each([
  ['of which there may be several', [due('ge', 3, {}), due('lt', 9, {})]],
  ['of two parameters', [due('ge', 3), { ...due('lt', 9), parameter: 'target' }]],
  ['of a record and of its version', [due('ge', 3), at('lt', 9)]],
  ['on the same side', [due('ge', 3), due('gt', 9)]],
  ['that must be equal, or overlap', [due('eq', 3), due('ap', 9), due('ne', 4)]],
  [
    'with alternatives',
    [{ ...due('ge', 3), anyOf: [...due('ge', 3).anyOf, ...due('lt', 1).anyOf] }, due('lt', 9)],
  ],
  ['that must not be', [due('ge', 3), { on: 'not', condition: due('lt', 9) }]],
] as const)('conditions on times %s remain as they are', (_, conditions) => {
  expect(joinTimes(conditions)).toEqual(conditions);
});

test('each end is joined once', () => {
  const [begin, later, last] = [due('ge', 3), due('gt', 4), due('lt', 9)];
  expect(joinTimes([begin, later, last])).toEqual([{ ...begin, ...end('lt', 9) }, later]);
});
