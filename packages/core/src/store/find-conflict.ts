import { isExpectedVersion } from './expected-version.ts';
import type { StoreError, VersionCheck } from './port.ts';

/** What a change or a premise conflicts with where its record stands at `actual`, null being nowhere; null where it is met. */
export const findConflict = (
  { type, id, expects }: VersionCheck,
  actual: number | null,
): StoreError | null =>
  isExpectedVersion(expects, actual) ? null : { _tag: 'Conflict', ref: { type, id }, actual };
