import { ClinicalRecordsError, isFailure } from '@clinical-records/core';
import { outcomeOf } from '@clinical-records/http-adapter';
import Database from 'better-sqlite3';

/**
 * The response of the host to an error. An unexpected error goes into the log, and so does a failure of the records: the response
 * does not have its cause.
 */
export const errorResponseOf = (cause: unknown) => {
  if (cause instanceof Database.SqliteError && cause.code === 'SQLITE_CONSTRAINT_PRIMARYKEY')
    return { status: 409, body: { error: 'That time is taken.' } } as const;
  if (cause instanceof ClinicalRecordsError) {
    if (isFailure(cause.error)) console.error(cause);
    const { status, outcome } = outcomeOf(cause.error);
    return { status, body: outcome };
  }
  console.error(cause);
  return { status: 500, body: { error: 'Something went wrong on our side.' } } as const;
};
