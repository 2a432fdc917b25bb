import Database from 'better-sqlite3';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** What the host tells of an error, if that is for the client to know. */
const refusalOf = (cause: unknown): { readonly status: number; readonly error: string } | null => {
  if (!(cause instanceof Error)) return null;
  if (cause instanceof Database.SqliteError && cause.code === 'SQLITE_CONSTRAINT_PRIMARYKEY')
    return { status: 409, error: 'That time is taken.' };
  // What Fastify says of a body that it cannot take.
  if ('statusCode' in cause && cause.statusCode === 400) return { status: 400, error: cause.message };
  // What `orThrow` throws is a `ClinicalError`: here, a rule that the charts hold to.
  return '_tag' in cause && cause._tag === 'RuleViolation' ? { status: 422, error: cause.message } : null;
};

export const refused = (cause: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const refusal = refusalOf(cause);
  if (refusal === null) console.error(cause);
  const { status, error } = refusal ?? { status: 500, error: 'Something went wrong on our side.' };
  return reply.code(status).send({ error });
};
