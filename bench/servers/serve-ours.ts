import { createClinicalRecords } from '@clinical-records/core';
import type { ClinicalStore } from '@clinical-records/core/store';
import { createHttpHandler, type Principal, toNodeListener } from '@clinical-records/http-adapter';
import { extensionBase } from '../data/clinic.ts';
import { serveListener } from './serve-listener.ts';
import { token } from './token.ts';

const principal: Principal = { subject: 'Practitioner/bench', scopes: ['user/*.cruds'] };

/** Serves the clinic of a store. */
export const serveOurs = (store: ClinicalStore, readProcessorTime?: () => number): void => {
  const records = createClinicalRecords({ store, extensionBase, careTeamRoles: [] });
  const handler = createHttpHandler(records, {
    authenticate: (sent) => (sent === token ? principal : null),
    basePath: '/fhir',
    onError: (cause) => console.error(cause),
  });
  serveListener(toNodeListener(handler), readProcessorTime);
};
