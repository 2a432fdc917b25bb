import { expect, test } from 'vitest';
import { anyVersion, exactVersion, isExpectedVersion, noVersion } from '../../src/store/versions.ts';

test.each([
  ['absent, and there is none', noVersion, null, true],
  ['absent, and there is one', noVersion, 1, false],
  ['a version, and it is the current one', exactVersion(2), 2, true],
  ['a version, and there is a later one', exactVersion(2), 3, false],
  ['a version, and it does not exist yet', exactVersion(2), 1, false],
  ['a version, and there is none', exactVersion(2), null, false],
  ['any version, and there is one', anyVersion, 7, true],
  ['any version, and there is none', anyVersion, null, true],
] as const)('the expected version: %s', (_what, expected, actual, is) => {
  expect(isExpectedVersion(expected, actual)).toBe(is);
});
