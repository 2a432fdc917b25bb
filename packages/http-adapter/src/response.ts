import type { ResourceVersion } from '@clinical-records/core';
import type { HttpResponse } from './http.ts';
import type { HttpError } from './http-error.ts';
import type { MediaType } from './media-type.ts';
import { operationOutcomeOf } from './operation-outcome.ts';
import type { Route, RouteResult } from './routes.ts';

const noGuessHeaders = { 'x-content-type-options': 'nosniff' } as const;

/** The headers for the type of a body. They keep a browser from guessing another type. Source: Fetch Standard, 3.6. */
export const contentTypeHeaders = (mediaType: MediaType) => ({
  'content-type': mediaType,
  ...noGuessHeaders,
});

/**
 * A response, even an error, may have data of a chart, so no cache may keep it. Without this header a cache may, if
 * there is a `Last-Modified`. Source: RFC 9111, 4.2.2 and 5.2.2.5.
 */
const noStoreHeaders = { 'cache-control': 'no-store' } as const;

const uncachedHeaders = (mediaType: MediaType) => ({
  ...contentTypeHeaders(mediaType),
  ...noStoreHeaders,
});

/** The headers of a response without a body. */
const emptyHeaders = { ...noGuessHeaders, ...noStoreHeaders } as const;

export const errorResponse = (error: HttpError, mediaType: MediaType): HttpResponse => ({
  status: error.status,
  headers: { ...uncachedHeaders(mediaType), ...error.headers },
  body: JSON.stringify(operationOutcomeOf(error)),
});

const versionHeaders = ({ version, lastModified }: ResourceVersion) => ({
  etag: `W/"${version}"`,
  'last-modified': new Date(lastModified).toUTCString(),
});

/** The response to a read whose client has the version already. Source: RFC 9110, 15.4.5. */
const notModifiedResponse = (version: ResourceVersion): HttpResponse => ({
  status: 304,
  headers: { ...emptyHeaders, ...versionHeaders(version) },
  body: '',
});

/** The response to a request that succeeded. */
export const successResponse = (
  result: RouteResult,
  {
    mediaType,
    showsRepresentation,
    minimalBody,
    isKnown,
    base,
    route,
  }: {
    readonly mediaType: MediaType;
    readonly showsRepresentation: boolean;
    /** The body of the response to a write that does not show the resource. */
    readonly minimalBody: 'null' | '';
    /** Whether the client of a read has the version already. */
    readonly isKnown: boolean;
    /** The URL of the interface, or its path. */
    readonly base: string;
    readonly route: Route;
  },
): HttpResponse => {
  if (typeof result === 'string') {
    return { status: 200, headers: uncachedHeaders(mediaType), body: result };
  }
  const { type, interaction } = route;
  if (isKnown) return notModifiedResponse(result);
  const isRead = interaction === 'read' || interaction === 'vread';
  const body = isRead || showsRepresentation ? result.json : minimalBody;
  return {
    status: interaction === 'create' ? 201 : 200,
    headers: {
      ...(body === '' ? emptyHeaders : uncachedHeaders(mediaType)),
      ...versionHeaders(result),
      ...(interaction === 'create' && { location: `${base}/${type}/${result.id}` }),
    },
    body,
  };
};
