import { type RequestHandler, Router } from 'express';
import { bookBloodDraw } from '../clinic/blood-draw.ts';
import { bookingIn, wanted } from '../clinic/booking.ts';
import type { Clinic } from '../clinic/clinic.ts';
import { userIn } from '../clinic/users.ts';
import { bookVisit } from '../clinic/visit.ts';

const known: RequestHandler = (request, response, next) => {
  if (userIn(request.get('authorization')) !== null) next();
  else response.status(401).json({ error: 'Send the token of a session.' });
};

/** The host's own routes. */
export const appointments = (clinic: Clinic): Router => {
  const all = clinic.database.prepare('SELECT * FROM appointments ORDER BY time, id');

  return Router()
    .use(known)
    .get('/appointments', (_, response) => {
      response.json(all.all());
    })
    .post('/appointments', async (request, response) => {
      const booking = bookingIn(request.body);
      if (booking === null) {
        response.status(400).json(wanted);
        return;
      }
      response.status(201).json(await bookVisit(clinic, booking));
    })
    .post('/blood-draws', async (request, response) => {
      const user = userIn(request.get('authorization'));
      if (user?.role !== 'doctor') {
        response.status(403).json({ error: 'Doctors order blood draws.' });
        return;
      }
      const booking = bookingIn(request.body);
      if (booking === null) {
        response.status(400).json(wanted);
        return;
      }
      const booked = await bookBloodDraw(clinic, { ...booking, by: user.id });
      response.status(201).json(booked);
    });
};
