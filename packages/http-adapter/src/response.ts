import type { ResourceVersion } from '@clinical-records/core';
import type { HttpResponse } from './http.ts';
import type { MediaType } from './media-type.ts';
import { operationOutcome } from './operation-outcome.ts';
import type { Problem } from './problem.ts';
import type { Reply, Route } from './routes.ts';

/** What an answer says of its body: a browser believes it, and looks for no other type. Source: Fetch Standard, 3.6. */
export const typedAs = (mediaType: MediaType) => ({
  'content-type': mediaType,
  'x-content-type-options': 'nosniff',
});

/**
 * What a chart held, or that it could not be seen, is for nobody else and for no later time: no cache keeps an answer.
 * Without this one may, where there is a `Last-Modified`. Source: RFC 9111, 4.2.2 and 5.2.2.5.
 */
const headersOf = (mediaType: MediaType) => ({ ...typedAs(mediaType), 'cache-control': 'no-store' });

export const problemResponse = (problem: Problem, mediaType: MediaType): HttpResponse => ({
  status: problem.status,
  headers: { ...headersOf(mediaType), ...problem.headers },
  body: operationOutcome(problem),
});

const versionHeaders = (mediaType: MediaType, { version, lastModified }: ResourceVersion) => ({
  ...headersOf(mediaType),
  etag: `W/"${version}"`,
  'last-modified': new Date(lastModified).toUTCString(),
});

/** What is answered to a request that succeeded. */
export const replyResponse = (
  reply: Reply,
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
  if (typeof reply === 'string') {
    return { status: 200, headers: headersOf(mediaType), body: reply };
  }
  const { type, interaction } = route;
  const headers = versionHeaders(mediaType, reply);
  if (interaction === 'read') return { status: 200, headers, body: reply.json };
  const body = showsRepresentation ? reply.json : 'null';
  return interaction === 'create'
    ? { status: 201, headers: { ...headers, location: `${base}/${type}/${reply.id}` }, body }
    : { status: 200, headers, body };
};
