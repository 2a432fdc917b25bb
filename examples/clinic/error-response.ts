import { ClinicalRecordsError } from '@clinical-records/core';
import Database from 'better-sqlite3';

/**
 * The response of the host to an error. An unexpected error goes into the log, and the response does not describe it.
 */
export const errorResponseOf = (
  cause: unknown,
): { readonly status: 409 | 422 | 500; readonly error: string } => {
  if (cause instanceof Database.SqliteError && cause.code === 'SQLITE_CONSTRAINT_PRIMARYKEY')
    return { status: 409, error: 'That time is taken.' };
  // A rule of the charts.
  if (cause instanceof ClinicalRecordsError && cause.tag === 'RuleViolation')
    return { status: 422, error: cause.message };
  console.error(cause);
  return { status: 500, error: 'Something went wrong on our side.' };
};
