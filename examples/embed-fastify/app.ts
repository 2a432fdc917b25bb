import Fastify, { type FastifyInstance } from 'fastify';
import type { Clinic } from '../clinic/clinic.ts';
import { createAppointmentRoutes } from './appointment-routes.ts';
import { createClinicalInterface } from './clinical-interface.ts';
import { handleError } from './error-handler.ts';

export const createApp = (clinic: Clinic): FastifyInstance => {
  const app = Fastify();
  app.setErrorHandler(handleError);
  app.register(createClinicalInterface(clinic), { prefix: '/fhir' });
  app.register(createAppointmentRoutes(clinic));
  return app;
};
