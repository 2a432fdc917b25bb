import { createHttpHandler, toFetch } from '@clinical-records/http-adapter';
import { Hono } from 'hono';
import type { Clinic } from '../clinic/clinic.ts';
import { hostResources } from '../clinic/host-resources.ts';
import { principalOf } from '../clinic/users.ts';
import { createAppointmentRoutes } from './appointment-routes.ts';
import { handleError } from './error-handler.ts';

export const createApp = (clinic: Clinic): Hono => {
  // #region app
  const interfaceFetch = toFetch(
    createHttpHandler(clinic.records, {
      basePath: '/fhir',
      authenticate: principalOf,
      hostResources,
      onError: (cause) => console.error(cause),
    }),
  );
  return (
    new Hono()
      // Hono uses the web's `Request` and `Response`, as the interface does.
      .all('/fhir/*', ({ req }) => interfaceFetch(req.raw))
      .route('/', createAppointmentRoutes(clinic))
      .onError(handleError)
  );
  // #endregion
};
