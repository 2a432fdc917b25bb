import { expect, test } from 'vitest';
import { Absent, Any, isExpected, Version } from '../../src/store/expected-version.ts';

test.each([
  ['absent, and there is none', Absent, null, true],
  ['absent, and there is one', Absent, 1, false],
  ['a version, and it stands there', Version(2), 2, true],
  ['a version, and it has moved on', Version(2), 3, false],
  ['a version, and it is not there yet', Version(2), 1, false],
  ['a version, and there is none', Version(2), null, false],
  ['whatever, and there is one', Any, 7, true],
  ['whatever, and there is none', Any, null, true],
] as const)('expected: %s', (_what, expected, actual, is) => {
  expect(isExpected(expected, actual)).toBe(is);
});
