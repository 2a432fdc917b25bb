import Database from 'better-sqlite3';
import type { ErrorHandler } from 'hono';
import { wanted } from './booking.ts';

/** What the host tells of an error: what is not foreseen says nothing of itself. */
export const refused: ErrorHandler = (cause, context) => {
  if (cause instanceof Database.SqliteError && cause.code === 'SQLITE_CONSTRAINT_PRIMARYKEY')
    return context.json({ error: 'That time is taken.' }, 409);
  // A body that is not JSON.
  if (cause instanceof SyntaxError) return context.json(wanted, 400);
  // What `orThrow` throws is a `ClinicalError`: here, a rule that the charts hold to.
  if ('_tag' in cause && cause._tag === 'RuleViolation') return context.json({ error: cause.message }, 422);
  console.error(cause);
  return context.json({ error: 'Something went wrong on our side.' }, 500);
};
