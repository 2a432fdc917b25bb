import { Hono } from 'hono';
import { bookBloodDraw } from '../clinic/book-blood-draw.ts';
import { bookVisit } from '../clinic/book-visit.ts';
import { bookingHint, parseBooking } from '../clinic/booking.ts';
import type { Clinic } from '../clinic/clinic.ts';
import { type User, userOf } from '../clinic/users.ts';

/** The host's own routes. */
export const createAppointmentRoutes = (clinic: Clinic): Hono<{ Variables: { user: User } }> => {
  const all = clinic.database.prepare('SELECT * FROM appointments ORDER BY time, id');

  return new Hono<{ Variables: { user: User } }>()
    .use(async (context, next) => {
      const user = userOf(context.req.header('authorization'));
      if (user === null) return context.json({ error: 'Send the token of a session.' }, 401);
      context.set('user', user);
      return next();
    })
    .get('/appointments', (context) => context.json(all.all()))
    .post('/appointments', async (context) => {
      const booking = parseBooking(await context.req.json());
      if (booking === null) return context.json(bookingHint, 400);
      return context.json(bookVisit(clinic, booking), 201);
    })
    .post('/blood-draws', async (context) => {
      const user = context.get('user');
      if (user.role !== 'doctor') return context.json({ error: 'Doctors order blood draws.' }, 403);
      const booking = parseBooking(await context.req.json());
      if (booking === null) return context.json(bookingHint, 400);
      const booked = await bookBloodDraw(clinic, { ...booking, by: user.id });
      return context.json(booked, 201);
    });
};
