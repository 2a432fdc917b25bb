import type { ResourceVersion } from '@clinical-records/core';
import type { HttpResponse } from './http.ts';
import type { HttpError } from './http-error.ts';
import type { MediaType } from './media-type.ts';
import { operationOutcomeOf } from './operation-outcome.ts';
import type { Route, RouteResult } from './routes.ts';

/** The headers for the type of a body. They keep a browser from guessing another type. Source: Fetch Standard, 3.6. */
export const contentTypeHeaders = (mediaType: MediaType) => ({
  'content-type': mediaType,
  'x-content-type-options': 'nosniff',
});

/**
 * A response, even an error, may have data of a chart, so no cache may keep it. Without this header a cache may, if
 * there is a `Last-Modified`. Source: RFC 9111, 4.2.2 and 5.2.2.5.
 */
const uncachedHeaders = (mediaType: MediaType) => ({
  ...contentTypeHeaders(mediaType),
  'cache-control': 'no-store',
});

export const errorResponse = (error: HttpError, mediaType: MediaType): HttpResponse => ({
  status: error.status,
  headers: { ...uncachedHeaders(mediaType), ...error.headers },
  body: JSON.stringify(operationOutcomeOf(error)),
});

const versionHeaders = (mediaType: MediaType, { version, lastModified }: ResourceVersion) => ({
  ...uncachedHeaders(mediaType),
  etag: `W/"${version}"`,
  'last-modified': new Date(lastModified).toUTCString(),
});

/** The response to a request that succeeded. */
export const successResponse = (
  result: RouteResult,
  {
    mediaType,
    showsRepresentation,
    base,
    route,
  }: {
    readonly mediaType: MediaType;
    readonly showsRepresentation: boolean;
    /** The URL of the interface, or its path. */
    readonly base: string;
    readonly route: Route;
  },
): HttpResponse => {
  if (typeof result === 'string') {
    return { status: 200, headers: uncachedHeaders(mediaType), body: result };
  }
  const { type, interaction } = route;
  const headers = versionHeaders(mediaType, result);
  if (interaction === 'read') return { status: 200, headers, body: result.json };
  const body = showsRepresentation ? result.json : 'null';
  return interaction === 'create'
    ? { status: 201, headers: { ...headers, location: `${base}/${type}/${result.id}` }, body }
    : { status: 200, headers, body };
};
