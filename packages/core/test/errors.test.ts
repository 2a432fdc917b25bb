import { expect, test } from 'vitest';
import { createIssueFactory, notFound, ruleViolation, storeFailure } from '../src/errors.ts';

test('at most a hundred issues are reported', () => {
  const faults = Array.from({ length: 101 }, (_, at) => ({ rule: 'empty' as const, message: `${at}` }));
  expect(ruleViolation(faults)).toEqual({ _tag: 'RuleViolation', issues: faults.slice(0, 100) });
});

test('a not-found error names the type and the id', () => {
  expect(notFound('Goal', 'g1')).toMatchObject({ _tag: 'NotFound', resourceType: 'Goal', id: 'g1' });
});

test('a failure of the store does not show its cause in its issues', () => {
  const { issues } = storeFailure('store-unavailable', new Error('disk full'));
  expect(JSON.stringify(issues)).not.toContain('disk');
});

test('a message lists what is allowed, up to some length', () => {
  const issue = createIssueFactory({ value: 'Not allowed.' });
  expect(issue('value').message).toBe('Not allowed.');
  expect(issue('value', 'a', []).message).toBe('Not allowed. Allowed: none.');
  expect(issue('value', 'a', ['x', 'y']).message).toBe('Not allowed. Allowed: x, y.');
  const long = Array.from({ length: 1000 }, (_, index) => `code-${index}`);
  const { message } = issue('value', 'a', long);
  expect(message).toMatch(/^Not allowed\. Allowed: code-0, .*, …$/);
  expect(message.length).toBeLessThan(350);
});
