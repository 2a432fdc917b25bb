import Fastify, { type FastifyInstance } from 'fastify';
import type { Clinic } from '../clinic/clinic.ts';
import { appointments } from './appointments.ts';
import { clinicalInterface } from './clinical-interface.ts';
import { refused } from './refused.ts';

export const createApp = (clinic: Clinic): FastifyInstance => {
  const app = Fastify();
  app.setErrorHandler(refused);
  app.register(clinicalInterface(clinic), { prefix: '/fhir' });
  app.register(appointments(clinic));
  return app;
};
