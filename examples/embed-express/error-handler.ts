import type { ErrorRequestHandler } from 'express';
import { bookingHint } from '../clinic/booking.ts';
import { errorResponseOf } from '../clinic/error-response.ts';

export const handleError: ErrorRequestHandler = (cause, _request, response, _next) => {
  // What Express' parser says of a body that it cannot take: no JSON, or too large.
  const isOfBody = cause?.status < 500;
  const { status, error } = isOfBody ? { status: cause.status, ...bookingHint } : errorResponseOf(cause);
  response.status(status).json({ error });
};
