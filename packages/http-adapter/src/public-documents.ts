import type { ClinicalRecords } from '@clinical-records/core';
import * as E from 'fp-ts/lib/Either.js';
import { isPreflight, preflightResponse, publicCorsHeaders } from './cors.ts';
import { createCapabilityStatement } from './documents/capabilities.ts';
import { createOpenApiDocument } from './documents/openapi.ts';
import { methodNotAllowed, notAcceptable } from './errors.ts';
import type { HttpResponse, MediaType } from './http.ts';
import type { HttpHandlerOptions } from './options.ts';
import { methodOf } from './request/request.ts';
import type { AuthenticatedRequest, ResponseResult } from './respond/respond.ts';
import { contentTypeHeaders, withAllowHeader } from './respond/response.ts';
import type { Route } from './routes/route.ts';

/** A document that needs no token, in a media type; null if the client accepts none that is offered. It has no data of a chart. */
type PublicDocument = (mediaType: MediaType | null) => HttpResponse | null;

/** A document that is created when it is first read. */
const createDocument = (create: () => object): PublicDocument => {
  let body: string | undefined;
  return (mediaType) => {
    if (mediaType === null) return null;
    body ??= JSON.stringify(create());
    return { status: 200, headers: { ...contentTypeHeaders(mediaType), ...publicCorsHeaders }, body };
  };
};

/** The documents that describe the interface, by their paths. */
export const createPublicDocuments = (
  routes: readonly Route[],
  records: Pick<ClinicalRecords, 'describe' | 'resources'>,
  options: HttpHandlerOptions,
): ReadonlyMap<string, PublicDocument> => {
  const {
    basePath = '',
    baseUrl,
    defaultReturn = 'minimal',
    capabilities = {},
    smartConfiguration,
  } = options;
  const { cors, maxInFlight, bulkExport } = options;
  const hasBulkExport = bulkExport !== undefined;
  const hasGroupExport = bulkExport?.groupMembers !== undefined;
  const date = new Date();
  const openApi = createDocument(() =>
    createOpenApiDocument({
      routes,
      description: records.describe(),
      base: baseUrl ?? basePath,
      defaultReturn,
      isLimitedInFlight: maxInFlight !== undefined,
      hasRules: records.resources.some(({ hasRules }) => hasRules),
      hasBulkExport,
      hasGroupExport,
    }),
  );
  const metadata = createDocument(() =>
    createCapabilityStatement({
      routes,
      description: records.describe(),
      baseUrl,
      hasCors: cors !== undefined,
      smartConfiguration,
      hasBulkExport,
      hasGroupExport,
      capabilities,
      date,
    }),
  );
  const smart = smartConfiguration && createDocument(() => smartConfiguration);
  const inJson =
    (document: PublicDocument): PublicDocument =>
    () =>
      document('application/json');
  return new Map([
    [`${basePath}/openapi.json`, inJson(openApi)],
    [`${basePath}/metadata`, metadata],
    ...(smart === undefined ? [] : [[`${basePath}/.well-known/smart-configuration`, inJson(smart)] as const]),
  ]);
};

/** The response to a request for a document. */
export const respondWithDocument = (
  document: PublicDocument,
  { request, mediaType }: Pick<AuthenticatedRequest, 'request' | 'mediaType'>,
): ResponseResult => {
  if (isPreflight(request)) return E.right(preflightResponse(request, { origins: '*' }));
  if (methodOf(request) !== 'GET') return E.left(withAllowHeader(methodNotAllowed, [{ method: 'GET' }]));
  return E.fromNullable(notAcceptable)(document(mediaType));
};
