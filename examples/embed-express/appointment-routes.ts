import { type RequestHandler, Router } from 'express';
import { bookBloodDraw } from '../clinic/book-blood-draw.ts';
import { bookVisit } from '../clinic/book-visit.ts';
import { bookingHint, parseBooking } from '../clinic/booking.ts';
import type { Clinic } from '../clinic/clinic.ts';
import { userOf } from '../clinic/users.ts';

const requireUser: RequestHandler = (request, response, next) => {
  if (userOf(request.get('authorization')) !== null) next();
  else response.status(401).json({ error: 'Send the token of a session.' });
};

/** The host's own routes. */
export const createAppointmentRoutes = (clinic: Clinic): Router => {
  const all = clinic.database.prepare('SELECT * FROM appointments ORDER BY time, id');

  return Router()
    .use(requireUser)
    .get('/appointments', (_, response) => {
      response.json(all.all());
    })
    .post('/appointments', async (request, response) => {
      const booking = parseBooking(request.body);
      if (booking === null) {
        response.status(400).json(bookingHint);
        return;
      }
      response.status(201).json(bookVisit(clinic, booking));
    })
    .post('/blood-draws', async (request, response) => {
      const user = userOf(request.get('authorization'));
      if (user?.role !== 'doctor') {
        response.status(403).json({ error: 'Doctors order blood draws.' });
        return;
      }
      const booking = parseBooking(request.body);
      if (booking === null) {
        response.status(400).json(bookingHint);
        return;
      }
      const booked = await bookBloodDraw(clinic, { ...booking, by: user.id });
      response.status(201).json(booked);
    });
};
