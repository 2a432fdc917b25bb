import * as TE from 'fp-ts/lib/TaskEither.js';
import { expect, test } from 'vitest';
import { notFound, orThrow, ruleViolation, storeFailure } from '../src/errors.ts';
import type { StoreError } from '../src/store/port.ts';

test('a task that succeeds is a promise of what it answers', async () => {
  await expect(orThrow(TE.right(7))).resolves.toBe(7);
});

test('a task that fails rejects with an Error that is the ClinicalError too', async () => {
  const faults = [
    { rule: 'a', message: 'First.', expression: 'Goal.id' },
    { rule: 'b', message: 'Second.' },
  ];
  const rejected = await orThrow(TE.left(ruleViolation(faults))).catch((error: unknown) => error);
  expect(rejected).toBeInstanceOf(Error);
  expect(rejected).toMatchObject({
    _tag: 'RuleViolation',
    issues: faults,
    message: 'RuleViolation: Goal.id: First. Second.',
  });
});

test('at most a hundred faults are told', () => {
  const faults = Array.from({ length: 101 }, (_, at) => ({ rule: `${at}`, message: 'Wrong.' }));
  expect(ruleViolation(faults)).toEqual({ _tag: 'RuleViolation', issues: faults.slice(0, 100) });
});

test('what is not found names its type and id', () => {
  expect(notFound('Goal', 'g1')).toMatchObject({ _tag: 'NotFound', resourceType: 'Goal', id: 'g1' });
});

test('a failure of the store keeps its cause out of its faults', () => {
  const { issues } = storeFailure('store-unavailable', new Error('disk full'));
  expect(JSON.stringify(issues)).not.toContain('disk');
});

test('what a store itself answers rejects as a StoreFailure', async () => {
  const closed: StoreError = { _tag: 'Unavailable', message: 'The store is closed.', cause: null };
  const rejected = await orThrow(TE.left(closed)).catch((error: unknown) => error);
  expect(rejected).toBeInstanceOf(Error);
  expect(rejected).toMatchObject({ _tag: 'StoreFailure', cause: new Error(closed.message) });
});
