import { isExpectedVersion } from './expected-version.ts';
import type { StoreError, VersionCheck } from './port.ts';

/**
 * The conflict of a change or a version check with a record at version `actual`, or null if there is none. Returns null
 * if it is met.
 */
export const findConflict = (
  { type, id, expects }: VersionCheck,
  actual: number | null,
): StoreError | null =>
  isExpectedVersion(expects, actual) ? null : { _tag: 'Conflict', ref: { type, id }, actual };
