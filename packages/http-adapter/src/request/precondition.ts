import type { ConditionalOptions, Precondition } from '@clinical-records/core';
import * as E from 'fp-ts/lib/Either.js';
import { type Interaction, permissions } from '../access/scopes.ts';
import { type HttpError, malformedIfMatch, unsupportedCondition } from '../errors.ts';
import { firstHeaderOf, type HttpRequest, headerOf, parseEntityTags, parseHttpDate } from '../http.ts';
import { isConditionalCreate, type Route } from '../routes/route.ts';

const noPrecondition: E.Either<HttpError, Precondition> = E.right({});

const isWrite = (interaction: Interaction): boolean => !/[rs]/.test(permissions[interaction]);

/**
 * The precondition of a write. One that is not supported is refused, because ignoring it could overwrite or duplicate a resource. If
 * there is an `If-Match`, whatever its value, `If-Unmodified-Since` is ignored. It is also ignored if it is not a date. Source:
 * RFC 9110, 13.1; FHIR R4, RESTful API, 3.1.0.8.1.
 */
export const parsePrecondition = (
  request: HttpRequest,
  route: Pick<Route, 'interaction' | 'createCondition'>,
): E.Either<HttpError, Precondition & ConditionalOptions> => {
  const { interaction } = route;
  if (!isWrite(interaction)) return noPrecondition;
  const ifNoneExist = headerOf(request, 'if-none-exist');
  const isSupported = ifNoneExist === undefined || isConditionalCreate(route);
  if (!isSupported || headerOf(request, 'if-none-match') !== undefined) return E.left(unsupportedCondition);
  if (interaction === 'create' && route.createCondition !== 'If-Match')
    return ifNoneExist === undefined ? noPrecondition : E.right({ ifNoneExist });
  const ifMatch = headerOf(request, 'if-match');
  if (ifMatch !== undefined) {
    const versions = parseEntityTags(ifMatch);
    return versions === null ? E.left(malformedIfMatch) : E.right({ ifMatch: versions });
  }
  const since = firstHeaderOf(request, 'if-unmodified-since');
  const time = since === undefined ? undefined : parseHttpDate(since, new Date());
  return time === undefined ? noPrecondition : E.right({ ifUnmodifiedSince: new Date(time) });
};
