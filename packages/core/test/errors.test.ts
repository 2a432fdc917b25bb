import { expect, test } from 'vitest';
import { notFound, ruleViolation, storeFailure } from '../src/errors.ts';

test('at most a hundred faults are told', () => {
  const faults = Array.from({ length: 101 }, (_, at) => ({ rule: 'empty' as const, message: `${at}` }));
  expect(ruleViolation(faults)).toEqual({ _tag: 'RuleViolation', issues: faults.slice(0, 100) });
});

test('what is not found names its type and id', () => {
  expect(notFound('Goal', 'g1')).toMatchObject({ _tag: 'NotFound', resourceType: 'Goal', id: 'g1' });
});

test('a failure of the store keeps its cause out of its faults', () => {
  const { issues } = storeFailure('store-unavailable', new Error('disk full'));
  expect(JSON.stringify(issues)).not.toContain('disk');
});
