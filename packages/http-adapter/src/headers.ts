import type { Handling, Precondition } from '@clinical-records/core';
import { type HttpRequest, headerOf } from './http.ts';

/** What a `Prefer` header asks for. Source: FHIR R4, RESTful API, 3.1.0.1.6 and 3.1.1.1; RFC 7240. */
export type Preference = { readonly handling: Handling | undefined; readonly wantsRepresentation: boolean };

const noPreference: Preference = { handling: undefined, wantsRepresentation: false };

export const preferenceOf = (prefer: string | undefined): Preference => {
  if (prefer === undefined) return noPreference;
  const tokens = prefer.split(/[,;]/).map((token) => token.replaceAll(/[\s"]/g, '').toLowerCase());
  const handling = (['strict', 'lenient'] as const).find((value) => tokens.includes(`handling=${value}`));
  return { handling, wantsRepresentation: tokens.includes('return=representation') };
};

/**
 * The versions that `If-Match` names: undefined where any will do, null where it is malformed.
 * Source: RFC 9110, 13.1.1; FHIR R4, RESTful API, 3.1.0.5, whose ETags are weak. A strong one is taken for the same.
 */
const ifMatchOf = (ifMatch: string): readonly number[] | null | undefined => {
  if (ifMatch.trim() === '*') return undefined;
  const versions = ifMatch.split(',').map((etag) => /^\s*(?:W\/)?"(\d{1,15})"\s*$/.exec(etag)?.[1]);
  return versions.includes(undefined) ? null : versions.map(Number);
};

const day = '(Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const weekday = '(Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)';
const month = '(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const time = String.raw`\d\d:\d\d:\d\d`;

/** The three forms of an HTTP-date, of which the last is in GMT without saying so. Source: RFC 9110, 5.6.7. */
const imfFixdate = new RegExp(`^${day}, \\d\\d ${month} \\d{4} ${time} GMT$`);
const rfc850Date = new RegExp(`^${weekday}, \\d\\d-${month}-\\d\\d ${time} GMT$`);
const asctimeDate = new RegExp(`^${day} ${month} [ \\d]\\d ${time} \\d{4}$`);

/** The time that `If-Unmodified-Since` names: undefined where it names none, for then it is to be ignored. */
const ifUnmodifiedSinceOf = (text: string): Date | undefined => {
  const isDate = imfFixdate.test(text) || rfc850Date.test(text);
  const date = new Date(asctimeDate.test(text) ? `${text} GMT` : isDate ? text : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
};

/**
 * What a request demands of the version that it replaces; null where its `If-Match` is malformed. Beside an `If-Match`,
 * whatever it says, `If-Unmodified-Since` is to be ignored. Source: RFC 9110, 13.1.4.
 */
export const preconditionOf = (request: HttpRequest): Precondition | null => {
  const ifMatch = headerOf(request, 'if-match');
  if (ifMatch !== undefined) {
    const versions = ifMatchOf(ifMatch);
    return versions === null ? null : { ifMatch: versions };
  }
  const since = headerOf(request, 'if-unmodified-since');
  return since === undefined ? {} : { ifUnmodifiedSince: ifUnmodifiedSinceOf(since) };
};
