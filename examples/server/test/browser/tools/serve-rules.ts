import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ClinicalRecordsOptions, createClinicalRecords } from '@clinical-records/core';
import { createHttpHandler, toNodeListener } from '@clinical-records/http-adapter';
import { createMemoryStore } from '@clinical-records/store-memory';
import { createDemoSessions } from '../../../access/demo-session.ts';
import { putDemoClinic } from '../../../demo/demo-clinic.ts';
import { demoUsers } from '../../../demo/demo-users.ts';
import { createServerRecords } from '../../../open/use-records.ts';
import { createHostResources } from '../../../serve/host-resources.ts';
import { careTeamRoles, extensionBase, types } from '../../../settings.ts';
import { withWebsite } from '../../../web/website.ts';

/** Serves the chart of the demo clinic on records with rules of their own, until `close` is called. */
export const serveRules = async (
  rules: NonNullable<ClinicalRecordsOptions<unknown, typeof types>['rules']>,
) => {
  const store = createMemoryStore();
  await putDemoClinic(createServerRecords(store));
  const records = createClinicalRecords({ store, extensionBase, careTeamRoles, types, rules });
  const grant = { token: 'token', principal: { subject: 'Person/x', scopes: 'user/*.*' } } as const;
  const site = {
    ...{ basePath: '/fhir', baseUrl: null, hasDemo: true, usCore: false, host: '127.0.0.1' },
    corrections: false,
    access: { _tag: 'PrintedToken', grant },
  } as const;
  const sessions = createDemoSessions(demoUsers(site), grant.token);
  const handler = createHttpHandler(records, {
    authenticate: () => null,
    authenticateSession: sessions.authenticate,
    basePath: site.basePath,
    chartCommands: true,
    corrections: true,
    hostResources: createHostResources(records, site),
  });
  const server = createServer(toNodeListener(withWebsite(handler, site, sessions)));
  await once(server.listen(0, site.host), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${site.host}:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
