import type { Returned } from '../access/access-event.ts';
import type { AccessOptions } from '../access/access-options.ts';
import type { ReportedCall } from '../access/reports.ts';
import { returnedResourcesOf } from '../access/returned-resources.ts';
import type { ResourceVersion } from './resource-version.ts';
import { returnedVersion } from './returned-page.ts';

/** The reports of the reads of a type, with resources and with JSON texts as results. */
export const readReports = (type: string) => ({
  read: (id: string, user?: AccessOptions): ReportedCall => ({ interaction: 'read', type, id, user }),
  readVersion: (id: string, _version: number, user?: AccessOptions): ReportedCall => ({
    ...{ interaction: 'vread', type, id, user },
  }),
  history: (id: string, user?: AccessOptions): ReportedCall => ({ interaction: 'history', type, id, user }),
  historyBundle: (id: string, parameters?: object, user?: AccessOptions): ReportedCall => ({
    ...{ interaction: 'history', type, id, parameters, user },
  }),
  search: (parameters: object, user?: AccessOptions): ReportedCall => ({
    ...{ interaction: 'search', type, parameters, user },
  }),
  all: (parameters?: object, user?: AccessOptions): ReportedCall => ({
    ...{ interaction: 'search', type, parameters, user },
  }),
});

/** The resource that a write returns. */
export const writtenResource = (resource: object): Returned => ({
  resources: returnedResourcesOf(resource),
  searchedPatientIds: [],
});

/** The version of a type that a write returns. */
export const writtenVersion =
  (type: string) =>
  (version: ResourceVersion): Returned => ({
    resources: returnedVersion(type)(version),
    searchedPatientIds: [],
  });
