import { isExpected } from './expected-version.ts';
import type { Premise, StoreError } from './port.ts';

/** What a change or a premise conflicts with where its record stands at `actual`, null being nowhere; null where it is met. */
export const conflictOf = ({ type, id, expects }: Premise, actual: number | null): StoreError | null =>
  isExpected(expects, actual) ? null : { _tag: 'Conflict', ref: { type, id }, actual };
