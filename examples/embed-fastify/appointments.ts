import type { FastifyPluginAsync, onRequestHookHandler } from 'fastify';
import { bookBloodDraw } from '../clinic/blood-draw.ts';
import type { Booking } from '../clinic/booking.ts';
import type { Clinic } from '../clinic/clinic.ts';
import { userIn } from '../clinic/users.ts';
import { bookVisit } from '../clinic/visit.ts';

const booking = {
  type: 'object',
  required: ['patientId', 'time'],
  properties: {
    patientId: { type: 'string' },
    time: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d$' },
  },
} as const;

type Booked = { Body: Booking };

const known: onRequestHookHandler = async (request, reply) => {
  if (userIn(request.headers.authorization) === null)
    return reply.code(401).send({ error: 'Send the token of a session.' });
};

/** The host's own routes. */
export const appointments =
  (clinic: Clinic): FastifyPluginAsync =>
  async (scope) => {
    const all = clinic.database.prepare('SELECT * FROM appointments ORDER BY time, id');

    scope.addHook('onRequest', known);
    scope.get('/appointments', async () => all.all());
    scope.post<Booked>('/appointments', { schema: { body: booking } }, async ({ body }, reply) => {
      return reply.code(201).send(await bookVisit(clinic, body));
    });
    scope.post<Booked>('/blood-draws', { schema: { body: booking } }, async ({ body, headers }, reply) => {
      const user = userIn(headers.authorization);
      if (user?.role !== 'doctor') return reply.code(403).send({ error: 'Doctors order blood draws.' });
      const booked = await bookBloodDraw(clinic, { ...body, by: user.id });
      return reply.code(201).send(booked);
    });
  };
