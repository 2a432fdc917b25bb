import type { Precondition, PreferredHandling } from '@clinical-records/core';
import * as E from 'fp-ts/lib/Either.js';
import { firstHeaderOf, type HttpRequest, headerOf } from './http.ts';
import { parseHttpDate } from './http-date.ts';
import { type HttpError, malformedIfMatch, unsupportedCondition } from './http-error.ts';
import type { Interaction } from './scopes.ts';

/** The bearer token of a request, or null. Source: RFC 6750, 2.1. */
export const tokenOf = (request: HttpRequest): string | null =>
  /^Bearer +(\S+)$/i.exec(headerOf(request, 'authorization') ?? '')?.[1] ?? null;

/**
 * Whether a request has two Authorization headers. A proxy may have checked one of them, and this server the other. The
 * web's `Headers` join them with a comma, after which another scheme begins. Source: RFC 9110, 11.4 and 11.6.2.
 */
export const hasTwoAuthorizations = (request: HttpRequest): boolean => {
  const sent = request.headers.authorization;
  return typeof sent === 'string' ? /, *[a-z][\w-]* +\S/i.test(sent) : sent !== undefined && sent.length > 1;
};

/** The preferences of a `Prefer` header. Source: FHIR R4, RESTful API, 3.1.0.1.6 and 3.1.1.1; RFC 7240, 2. */
export type Preference = {
  readonly handling: PreferredHandling | undefined;
  readonly returns: PreferredReturn | undefined;
};

/** The response to a write that a client prefers: with the resource, or as small as possible. */
export type PreferredReturn = (typeof preferredReturns)[number];

export const preferredReturns = ['minimal', 'representation'] as const;

const noPreference: Preference = { handling: undefined, returns: undefined };

export const parsePreference = (prefer: string | undefined): Preference => {
  if (prefer === undefined) return noPreference;
  const tokens = prefer.split(/[,;]/).map((token) => token.replaceAll(/[\s"]/g, '').toLowerCase());
  const first = (name: string) => tokens.find((token) => token.startsWith(`${name}=`));
  const preferred = <Value extends string>(name: string, values: readonly Value[]) =>
    values.find((value) => first(name) === `${name}=${value}`);
  return {
    handling: preferred('handling', ['strict', 'lenient']),
    returns: preferred('return', preferredReturns),
  };
};

const entityTag = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;

/** A list of entity tags, in which empty elements are ignored. Source: RFC 9110, 5.6.1.2 and 8.8.3. */
const entityTags = new RegExp(`^[ \\t,]*${entityTag}(?:[ \\t]*,[ \\t,]*${entityTag})*[ \\t,]*$`);

/**
 * The versions that a list of entity tags names: undefined for any version, null if it is malformed. Source: RFC 9110,
 * 13.1.1 and 13.1.2; FHIR R4, RESTful API, 3.1.0.5, whose ETags are weak. A strong ETag counts as the same.
 */
const parseEntityTags = (tags: string): readonly number[] | null | undefined => {
  if (tags.trim() === '*') return undefined;
  if (!entityTags.test(tags)) return null;
  return Array.from(tags.matchAll(/"([1-9]\d{0,14})"/g), ([, version]) => Number(version));
};

/** Whether the client has a version already, by its `If-None-Match`. A malformed one counts as none. */
export const hasVersion = (request: HttpRequest, version: number): boolean => {
  const ifNoneMatch = headerOf(request, 'if-none-match');
  if (ifNoneMatch === undefined) return false;
  const versions = parseEntityTags(ifNoneMatch);
  return versions === undefined || versions?.includes(version) === true;
};

const noPrecondition: E.Either<HttpError, Precondition> = E.right({});

/** Conditions of writes that are not supported. Ignoring one could overwrite or duplicate a resource. */
const unsupportedConditions = ['if-none-match', 'if-none-exist'] as const;

/**
 * The precondition of a write. If there is an `If-Match`, whatever its value, `If-Unmodified-Since` is ignored. It is
 * also ignored if it is not a date. Source: RFC 9110, 13.1; FHIR R4, RESTful API, 3.1.0.8.1.
 */
export const parsePrecondition = (
  request: HttpRequest,
  interaction: Interaction,
): E.Either<HttpError, Precondition> => {
  if (interaction !== 'create' && interaction !== 'update') return noPrecondition;
  if (unsupportedConditions.some((name) => headerOf(request, name) !== undefined))
    return E.left(unsupportedCondition);
  if (interaction === 'create') return noPrecondition;
  const ifMatch = headerOf(request, 'if-match');
  if (ifMatch !== undefined) {
    const versions = parseEntityTags(ifMatch);
    return versions === null ? E.left(malformedIfMatch) : E.right({ ifMatch: versions });
  }
  const since = firstHeaderOf(request, 'if-unmodified-since');
  const time = since === undefined ? undefined : parseHttpDate(since, new Date());
  return time === undefined ? noPrecondition : E.right({ ifUnmodifiedSince: new Date(time) });
};
