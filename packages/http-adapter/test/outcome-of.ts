import { ClinicalRecordsError } from '@clinical-records/core';
import type { Outcome } from '@clinical-records/core/fp-ts';
import { left, right } from 'fp-ts/lib/Either.js';

/** How a call ends: its result, or the error that it rejects with. */
export const outcomeOf = async <Called extends Promise<unknown>>(
  called: Called,
): Outcome<Awaited<Called>> => {
  try {
    return right(await called);
  } catch (thrown) {
    if (thrown instanceof ClinicalRecordsError) return left(thrown.error);
    throw thrown;
  }
};
