import { expect, test } from 'vitest';
import { anyVersion, exactVersion, isExpectedVersion, noVersion } from '../../src/store/expected-version.ts';

test.each([
  ['absent, and there is none', noVersion, null, true],
  ['absent, and there is one', noVersion, 1, false],
  ['a version, and it stands there', exactVersion(2), 2, true],
  ['a version, and it has moved on', exactVersion(2), 3, false],
  ['a version, and it is not there yet', exactVersion(2), 1, false],
  ['a version, and there is none', exactVersion(2), null, false],
  ['whatever, and there is one', anyVersion, 7, true],
  ['whatever, and there is none', anyVersion, null, true],
] as const)('the expected version: %s', (_what, expected, actual, is) => {
  expect(isExpectedVersion(expected, actual)).toBe(is);
});
