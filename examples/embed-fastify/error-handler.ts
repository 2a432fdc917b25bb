import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { errorResponseOf } from '../clinic/error-response.ts';

export const handleError = (
  cause: FastifyError,
  _request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  // Fastify could not read the body: it is too large, not JSON, or of another type.
  const { statusCode = 500 } = cause;
  const { status, body } =
    statusCode < 500 ? { status: statusCode, body: { error: cause.message } } : errorResponseOf(cause);
  return reply.code(status).send(body);
};
