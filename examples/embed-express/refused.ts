import type { ErrorRequestHandler } from 'express';
import { wanted } from '../clinic/booking.ts';
import { refusalOf } from '../clinic/refusal.ts';

export const refused: ErrorRequestHandler = (cause, _request, response, _next) => {
  // What Express' parser says of a body that it cannot take: no JSON, or too large.
  const isOfBody = cause?.status < 500;
  const { status, error } = isOfBody ? { status: cause.status, ...wanted } : refusalOf(cause);
  response.status(status).json({ error });
};
