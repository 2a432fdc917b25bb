import { createClinicalRecords, type OnAccess } from '@clinical-records/core';
import type { ClinicalStore } from '@clinical-records/core/store';
import { createHttpHandler, type Principal, toNodeListener } from '@clinical-records/http-adapter';
import { extensionBase } from '../data/clinic.ts';
import { serveListener } from './serve-listener.ts';
import { token } from './token.ts';

const principal: Principal = { subject: 'Practitioner/bench', scopes: ['user/*.cruds'] };

type ServeOptions = {
  readonly onAccess?: OnAccess;
  /** Returns the processor time of the database server. */
  readonly readProcessorTime?: () => number;
};

/** Serves the clinic of a store. */
export const serveOurs = (
  store: ClinicalStore,
  { readProcessorTime, ...options }: ServeOptions = {},
): void => {
  const records = createClinicalRecords({ store, extensionBase, careTeamRoles: [], ...options });
  const handler = createHttpHandler(records, {
    authenticate: (sent) => (sent === token ? principal : null),
    basePath: '/fhir',
    onError: (cause) => console.error(cause),
  });
  serveListener(toNodeListener(handler), readProcessorTime);
};
