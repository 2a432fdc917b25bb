import { createHttpHandler, toNodeListener } from '@clinical-records/http-adapter';
import express, { type Express } from 'express';
import type { Clinic } from '../clinic/clinic.ts';
import { hostResources } from '../clinic/host-resources.ts';
import { principalInSession, principalOf } from '../clinic/users.ts';
import { createAppointmentRoutes } from './appointment-routes.ts';
import { handleError } from './error-handler.ts';

export const createApp = (clinic: Clinic): Express => {
  // #region app
  const handler = createHttpHandler(clinic.records, {
    // The whole path. Express shortens `url` under a mount, and the listener reads `originalUrl`.
    basePath: '/fhir',
    authenticate: principalOf, // programs send a bearer token
    authenticateSession: principalInSession, // a browser sends the cookie of its session
    hostResources, // your patients, beside the charts that refer to them
    onError: (cause) => console.error(cause),
  });
  const app = express();
  // It reads its bodies itself: a body parser in front of it would leave nothing to read.
  app.use('/fhir', toNodeListener(handler));
  app.use(express.json());
  // #endregion
  app.use(createAppointmentRoutes(clinic));
  app.use(handleError);
  return app;
};
