import { type HttpRequest, headerOf } from './http.ts';

/** An id that can be in a log as it is: letters, digits and punctuation of UUIDs, of trace ids and of proxies. */
const pattern = /^[\w.:-]{1,64}$/;

/**
 * The id of a request: that of the client, or of the proxy, if it has the pattern, and otherwise a new UUID. Source: FHIR
 * R4, RESTful API, "Custom Headers".
 */
export const requestIdOf = (request: HttpRequest): string => {
  const sent = headerOf(request, 'x-request-id');
  return sent !== undefined && pattern.test(sent) ? sent : crypto.randomUUID();
};
