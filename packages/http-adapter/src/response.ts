import type { ResourceVersion } from '@clinical-records/core';
import type { HttpResponse } from './http.ts';
import type { MediaType } from './media-type.ts';
import { operationOutcome } from './operation-outcome.ts';
import type { Problem } from './problem.ts';
import type { Reply, Route } from './routes.ts';

export const problemResponse = (problem: Problem, mediaType: MediaType): HttpResponse => ({
  status: problem.status,
  headers: { 'content-type': mediaType, ...problem.headers },
  body: operationOutcome(problem),
});

const versionHeaders = (mediaType: MediaType, { version, lastModified }: ResourceVersion) => ({
  'content-type': mediaType,
  etag: `W/"${version}"`,
  'last-modified': new Date(lastModified).toUTCString(),
});

/** What is answered to a request that succeeded. */
export const replyResponse = (
  reply: Reply,
  {
    mediaType,
    showsRepresentation,
    basePath,
    route,
  }: {
    readonly mediaType: MediaType;
    readonly showsRepresentation: boolean;
    readonly basePath: string;
    readonly route: Route;
  },
): HttpResponse => {
  if (typeof reply === 'string') {
    return { status: 200, headers: { 'content-type': mediaType }, body: reply };
  }
  const { type, interaction } = route;
  const headers = versionHeaders(mediaType, reply);
  if (interaction === 'read') return { status: 200, headers, body: reply.json };
  const body = showsRepresentation ? reply.json : 'null';
  return interaction === 'create'
    ? { status: 201, headers: { ...headers, location: `${basePath}/${type}/${reply.id}` }, body }
    : { status: 200, headers, body };
};
