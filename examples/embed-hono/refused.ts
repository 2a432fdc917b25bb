import type { ErrorHandler } from 'hono';
import { wanted } from '../clinic/booking.ts';
import { refusalOf } from '../clinic/refusal.ts';

export const refused: ErrorHandler = (cause, context) => {
  // A body that is not JSON.
  if (cause instanceof SyntaxError) return context.json(wanted, 400);
  const { status, error } = refusalOf(cause);
  return context.json({ error }, status);
};
