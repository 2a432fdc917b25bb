import type { ErrorHandler } from 'hono';
import { bookingHint } from '../clinic/booking.ts';
import { errorResponseOf } from '../clinic/error-response.ts';

export const handleError: ErrorHandler = (cause, context) => {
  // A body that is not JSON.
  if (cause instanceof SyntaxError) return context.json(bookingHint, 400);
  const { status, body } = errorResponseOf(cause);
  return context.json(body, status);
};
