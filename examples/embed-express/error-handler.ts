import type { ErrorRequestHandler } from 'express';
import { bookingHint } from '../clinic/booking.ts';
import { errorResponseOf } from '../clinic/error-response.ts';

export const handleError: ErrorRequestHandler = (cause, _request, response, _next) => {
  // Express' parser could not read the body: it is too large or not JSON.
  const isOfBody = cause?.status < 500;
  const { status, body } = isOfBody ? { status: cause.status, body: bookingHint } : errorResponseOf(cause);
  response.status(status).json(body);
};
