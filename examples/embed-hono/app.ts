import { createHttpHandler, toFetch } from '@clinical-records/http-adapter';
import { Hono } from 'hono';
import type { Clinic } from '../clinic/clinic.ts';
import { principalWith } from '../clinic/users.ts';
import { appointments } from './appointments.ts';
import { refused } from './refused.ts';

export const createApp = (clinic: Clinic): Hono => {
  const interfaceFetch = toFetch(
    createHttpHandler(clinic.records, {
      basePath: '/fhir',
      authenticate: principalWith,
      onError: console.error,
    }),
  );
  return (
    new Hono()
      // Hono speaks the web's `Request` and `Response`, as the interface does.
      .all('/fhir/*', ({ req }) => interfaceFetch(req.raw))
      .route('/', appointments(clinic))
      .onError(refused)
  );
};
