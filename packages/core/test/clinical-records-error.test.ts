import { expect, test } from 'vitest';
import { type Issue, notFound, ruleViolation, storeFailure } from '../src/errors.ts';
import { ClinicalRecordsError } from '../src/outcome.ts';
import type { StoreError } from '../src/store/store-error.ts';

const issues: readonly Issue[] = [
  { rule: 'required', message: 'First.', expression: 'Goal.id' },
  { rule: 'empty', message: 'Second.' },
];

test('the error carries the tag and the issues of a ClinicalError, and the ClinicalError itself', () => {
  const error = ruleViolation(issues);
  const thrown = new ClinicalRecordsError(error);
  expect(thrown).toBeInstanceOf(Error);
  expect(thrown).toMatchObject({ name: 'ClinicalRecordsError', tag: 'RuleViolation', issues });
  expect(thrown.error).toBe(error);
  expect(thrown).not.toHaveProperty('cause');
});

test('the message names each issue with its expression and sentence', () => {
  expect(new ClinicalRecordsError(ruleViolation(issues)).message).toBe(
    'RuleViolation: Goal.id: First. Second.',
  );
});

test('the message names the type and the id of a record that was not found', () => {
  expect(new ClinicalRecordsError(notFound('Goal', 'g1')).message).toBe(
    'NotFound: Goal/g1: There is no such record.',
  );
});

test('the message is one line of a log, whatever the id was', () => {
  const { message } = new ClinicalRecordsError(
    notFound('Goal', `g\r\n\u2028ERROR\u001b[2J${'x'.repeat(10_000)}`),
  );
  expect(message).toMatch(/^NotFound: Goal\/gERROR\[2Jx+: There is no such record\.$/);
  expect(message.length).toBeLessThan(200);
});

test('the cause of a StoreFailure is the cause of the error, and is not in the message', () => {
  const cause = new Error('disk full');
  const thrown = new ClinicalRecordsError(storeFailure('store-unavailable', cause));
  expect(thrown.cause).toBe(cause);
  expect(thrown.message).not.toContain('disk');
});

test('an error of a store is a StoreFailure', () => {
  const away: StoreError = { _tag: 'Unavailable', message: 'The disk is gone.', cause: null };
  expect(new ClinicalRecordsError(away)).toMatchObject({
    tag: 'StoreFailure',
    message: 'StoreFailure: The records cannot be reached at the moment. Nothing was changed.',
    cause: new Error(away.message),
  });
});

test('an error of a closed store says so, and not that a later attempt may succeed', () => {
  expect(new ClinicalRecordsError({ _tag: 'Closed' })).toMatchObject({
    tag: 'StoreFailure',
    message: 'StoreFailure: The store, or its database, was closed before. Nothing was changed.',
  });
});
