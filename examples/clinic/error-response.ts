import { ClinicalRecordsError } from '@clinical-records/core';
import Database from 'better-sqlite3';

/** What the host tells of an error. What is not foreseen goes into the log, and says nothing of itself. */
export const errorResponseOf = (
  cause: unknown,
): { readonly status: 409 | 422 | 500; readonly error: string } => {
  if (cause instanceof Database.SqliteError && cause.code === 'SQLITE_CONSTRAINT_PRIMARYKEY')
    return { status: 409, error: 'That time is taken.' };
  // A rule that the charts hold to.
  if (cause instanceof ClinicalRecordsError && cause.tag === 'RuleViolation')
    return { status: 422, error: cause.message };
  console.error(cause);
  return { status: 500, error: 'Something went wrong on our side.' };
};
