import { describe, test } from 'vitest';
import { requestsToPaths, requestsWithBodies, requestsWithHeaders } from './requests.ts';
import { searches } from './searches.ts';
import { testTimeout, tryAll } from './trial.ts';

describe('whatever is sent: an answer in time, never a 5xx, every error an outcome, no change by a refusal', () => {
  test('bodies', () => tryAll(requestsWithBodies, 0.5), testTimeout);
  test('query strings and forms', () => tryAll(searches, 0.2), testTimeout);
  test('headers', () => tryAll(requestsWithHeaders, 0.15), testTimeout);
  test('methods, paths and ids', () => tryAll(requestsToPaths, 0.15), testTimeout);
});
