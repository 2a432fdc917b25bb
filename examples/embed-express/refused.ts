import Database from 'better-sqlite3';
import type { ErrorRequestHandler } from 'express';
import { wanted } from './booking.ts';

/** What the host tells of an error, if that is for the client to know. */
const refusalOf = (cause: unknown): { readonly status: number; readonly error: string } | null => {
  if (!(cause instanceof Error)) return null;
  if (cause instanceof Database.SqliteError && cause.code === 'SQLITE_CONSTRAINT_PRIMARYKEY')
    return { status: 409, error: 'That time is taken.' };
  if ('type' in cause && cause.type === 'entity.parse.failed') return { status: 400, ...wanted };
  // What `orThrow` throws is a `ClinicalError`: here, a rule that the charts hold to.
  return '_tag' in cause && cause._tag === 'RuleViolation' ? { status: 422, error: cause.message } : null;
};

export const refused: ErrorRequestHandler = (cause, _request, response, _next) => {
  const refusal = refusalOf(cause);
  if (refusal === null) console.error(cause);
  const { status, error } = refusal ?? { status: 500, error: 'Something went wrong on our side.' };
  response.status(status).json({ error });
};
