import { ClinicalRecordsError } from '@clinical-records/core';

/** Why a function of the records failed. If the store did, its error says more than the message. */
export const recordsReasonOf = (cause: unknown): string =>
  cause instanceof ClinicalRecordsError && cause.error._tag === 'StoreFailure'
    ? (cause.error.cause?.message ?? cause.message)
    : (cause as Error).message;
