import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { refusalOf } from '../clinic/refusal.ts';

export const refused = (cause: FastifyError, _request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  // What Fastify says of a body that it cannot take: no JSON, too large, or of another type.
  const { statusCode = 500 } = cause;
  const { status, error } =
    statusCode < 500 ? { status: statusCode, error: cause.message } : refusalOf(cause);
  return reply.code(status).send({ error });
};
