import type { ErrorRequestHandler } from 'express';
import { wanted } from '../clinic/booking.ts';
import { refusalOf } from '../clinic/refusal.ts';

export const refused: ErrorRequestHandler = (cause, _request, response, _next) => {
  // What Express' parser says of a body that is no JSON.
  const isNoJson = cause?.type === 'entity.parse.failed';
  const { status, error } = isNoJson ? { status: 400, ...wanted } : refusalOf(cause);
  response.status(status).json({ error });
};
