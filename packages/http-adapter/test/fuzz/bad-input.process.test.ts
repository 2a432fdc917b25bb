import { describe, test } from 'vitest';
import { checkAll, testTimeout } from './check-invariants.ts';
import { requestsToPaths, requestsWithBodies, requestsWithHeaders } from './requests.ts';
import { searches } from './searches.ts';

describe('any input gets a response in time, never a 5xx, with an outcome for every error and no change by a refusal', () => {
  test('bodies', () => checkAll(requestsWithBodies, 0.5), testTimeout);
  test('query strings and forms', () => checkAll(searches, 0.2), testTimeout);
  test('headers', () => checkAll(requestsWithHeaders, 0.15), testTimeout);
  test('methods, paths and ids', () => checkAll(requestsToPaths, 0.15), testTimeout);
});
