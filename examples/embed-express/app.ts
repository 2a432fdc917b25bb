import { createHttpHandler, toNodeListener } from '@clinical-records/http-adapter';
import express, { type Express } from 'express';
import type { Clinic } from '../clinic/clinic.ts';
import { principalWith } from '../clinic/users.ts';
import { appointments } from './appointments.ts';
import { refused } from './refused.ts';

export const createApp = (clinic: Clinic): Express => {
  const handler = createHttpHandler(clinic.records, {
    // The whole path: under a mount Express shortens `url`, and the listener reads `originalUrl`.
    basePath: '/fhir',
    authenticate: principalWith,
    onError: console.error,
  });
  const app = express();
  // The interface reads its bodies itself. A parser in front of it would leave it none, so it stands first.
  app.use('/fhir', toNodeListener(handler));
  app.use(express.json());
  app.use(appointments(clinic));
  app.use(refused);
  return app;
};
