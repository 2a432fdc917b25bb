import { type RequestHandler, Router } from 'express';
import { bookBloodDraw } from '../clinic/blood-draw.ts';
import { bookingIn, wanted } from '../clinic/booking.ts';
import type { Clinic } from '../clinic/clinic.ts';
import { userIn } from '../clinic/users.ts';

const known: RequestHandler = (request, response, next) => {
  if (userIn(request.get('authorization')) !== null) next();
  else response.status(401).json({ error: 'Send the token of a session.' });
};

/** The host's own routes. */
export const appointments = ({ database, inTransaction }: Clinic): Router => {
  const all = database.prepare('SELECT * FROM appointments ORDER BY time, id');
  const add = database.prepare("INSERT INTO appointments (patient_id, time, reason) VALUES (?, ?, 'Visit')");

  return Router()
    .use(known)
    .get('/appointments', (_, response) => {
      response.json(all.all());
    })
    .post('/appointments', (request, response) => {
      const booking = bookingIn(request.body);
      if (booking === null) {
        response.status(400).json(wanted);
        return;
      }
      const { lastInsertRowid } = add.run(booking.patientId, booking.time);
      response.status(201).json({ appointment: Number(lastInsertRowid) });
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
      const booked = await inTransaction((within) => bookBloodDraw(within, { ...booking, by: user.id }));
      response.status(201).json(booked);
    });
};
