import type { FastifyPluginAsync, onRequestHookHandler } from 'fastify';
import { bookBloodDraw } from '../clinic/book-blood-draw.ts';
import { bookVisit } from '../clinic/book-visit.ts';
import type { Booking } from '../clinic/booking.ts';
import type { Clinic } from '../clinic/clinic.ts';
import { userOf } from '../clinic/users.ts';

const bookingSchema = {
  type: 'object',
  required: ['patientId', 'time'],
  properties: {
    patientId: { type: 'string' },
    time: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d$' },
  },
} as const;

type BookingRoute = { Body: Booking };

const requireUser: onRequestHookHandler = async (request, reply) => {
  if (userOf(request.headers.authorization) === null)
    return reply.code(401).send({ error: 'Send the token of a session.' });
};

/** The host's own routes. */
export const createAppointmentRoutes =
  (clinic: Clinic): FastifyPluginAsync =>
  async (scope) => {
    const all = clinic.database.prepare('SELECT * FROM appointments ORDER BY time, id');

    scope.addHook('onRequest', requireUser);
    scope.get('/appointments', async () => all.all());
    scope.post<BookingRoute>(
      '/appointments',
      { schema: { body: bookingSchema } },
      async ({ body }, reply) => {
        return reply.code(201).send(bookVisit(clinic, body));
      },
    );
    scope.post<BookingRoute>(
      '/blood-draws',
      { schema: { body: bookingSchema } },
      async ({ body, headers }, reply) => {
        const user = userOf(headers.authorization);
        if (user?.role !== 'doctor') return reply.code(403).send({ error: 'Doctors order blood draws.' });
        const booked = await bookBloodDraw(clinic, { ...body, by: user.id });
        return reply.code(201).send(booked);
      },
    );
  };
