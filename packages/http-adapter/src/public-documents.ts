import type { ClinicalRecords } from '@clinical-records/core';
import { createCapabilityStatement } from './capabilities/capability-statement.ts';
import type { HostCapabilities } from './capabilities/host-capabilities.ts';
import type { SmartConfiguration } from './capabilities/smart-configuration.ts';
import { publicCorsHeaders } from './cors.ts';
import type { HttpResponse } from './http.ts';
import type { MediaType } from './media-type.ts';
import { createOpenApiDocument } from './openapi/openapi-document.ts';
import type { PreferredReturn } from './request-headers.ts';
import { contentTypeHeaders } from './response.ts';
import type { Route } from './routes.ts';

/** A document that needs no token, as it is returned in a media type. It has no data of a chart. */
export type PublicDocument = (mediaType: MediaType) => HttpResponse;

type DocumentSources = {
  readonly routes: readonly Route[];
  readonly records: Pick<ClinicalRecords, 'describe'>;
  readonly basePath: string;
  readonly baseUrl: string | undefined;
  readonly hasCors: boolean;
  readonly smartConfiguration: SmartConfiguration | undefined;
  readonly defaultReturn: PreferredReturn;
  readonly isLimitedInFlight: boolean;
  readonly hasBulkExport: boolean;
  readonly capabilities: HostCapabilities;
};

/** A document that is created when it is first read. */
const createDocument = (create: () => object): PublicDocument => {
  let body: string | undefined;
  return (mediaType) => {
    body ??= JSON.stringify(create());
    return { status: 200, headers: { ...contentTypeHeaders(mediaType), ...publicCorsHeaders }, body };
  };
};

/** The documents that describe the interface, by their paths. */
export const createPublicDocuments = ({
  basePath,
  records,
  smartConfiguration,
  defaultReturn,
  isLimitedInFlight,
  ...sources
}: DocumentSources): ReadonlyMap<string, PublicDocument> => {
  const { routes, baseUrl } = sources;
  const date = new Date();
  const openApi = createDocument(() =>
    createOpenApiDocument({
      ...{ routes, description: records.describe(), base: baseUrl ?? basePath },
      ...{ defaultReturn, isLimitedInFlight, hasBulkExport: sources.hasBulkExport },
    }),
  );
  const smart = smartConfiguration && createDocument(() => smartConfiguration);
  return new Map([
    [`${basePath}/openapi.json`, () => openApi('application/json')],
    [
      `${basePath}/metadata`,
      createDocument(() =>
        createCapabilityStatement({ ...sources, description: records.describe(), smartConfiguration, date }),
      ),
    ],
    ...(smart === undefined
      ? []
      : [[`${basePath}/.well-known/smart-configuration`, () => smart('application/json')] as const]),
  ]);
};
