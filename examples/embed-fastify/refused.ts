import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { refusalOf } from '../clinic/refusal.ts';

export const refused = (cause: FastifyError, _request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  // What Fastify says of a body that it cannot take.
  const isBadBody = cause.statusCode === 400;
  const { status, error } = isBadBody ? { status: 400, error: cause.message } : refusalOf(cause);
  return reply.code(status).send({ error });
};
