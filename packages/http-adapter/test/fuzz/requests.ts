import * as fc from 'fast-check';
import type { HttpRequest } from '../../src/index.ts';
import { bodiesLike, strayBodies } from './bodies.ts';
import { mutate, nearly, oddText } from './texts.ts';
import {
  careTeam,
  mistakenStatement,
  newDose,
  newGoal,
  newOrder,
  newStatement,
  newStatementWithElements,
  proposedMember,
} from './valid-bodies.ts';
import { encodeComponent, resourceType, token } from './words.ts';

const authorized = { authorization: 'Bearer full' };

/** The writes of the interface, each with a body that it takes. */
const writes = [
  { method: 'PUT', url: '/fhir/CareTeam/amy', body: careTeam },
  { method: 'POST', url: '/fhir/Immunization', body: newStatement },
  { method: 'POST', url: '/fhir/Immunization', body: newStatementWithElements },
  { method: 'PUT', url: '/fhir/Immunization/told', body: mistakenStatement },
  { method: 'POST', url: '/fhir/commands', body: newGoal },
  { method: 'POST', url: '/fhir/commands', body: newOrder },
  { method: 'POST', url: '/fhir/commands', body: newDose },
  { method: 'POST', url: '/fhir/commands/CareTeam/amy', body: proposedMember },
  { method: 'POST', url: '/fhir/commands/Goal/staged/0/commit', body: {} },
  { method: 'POST', url: '/fhir/commands/Goal/staged/0/discard', body: { reason: 'Not needed.' } },
  { method: 'POST', url: '/fhir/commands/Goal/told/0/enter-in-error', body: { reason: 'Wrong.' } },
] as const;

const preferences = ['handling=strict', 'handling=lenient', 'return=representation', 'return=minimal'];

/** Requests to write, sound but for their bodies. */
export const requestsWithBodies = fc.constantFrom(...writes).chain(
  ({ method, url, body }): fc.Arbitrary<HttpRequest> =>
    fc.record({
      method: fc.constant(method),
      url: fc.constant(url),
      headers: fc
        .option(fc.constantFrom(...preferences))
        .map((prefer) => (prefer === null ? authorized : { ...authorized, prefer })),
      body: fc.oneof(
        { weight: 9, arbitrary: bodiesLike(body) },
        { weight: 1, arbitrary: fc.constantFrom(...writes).chain((other) => bodiesLike(other.body)) },
        { weight: 1, arbitrary: strayBodies },
      ),
    }),
);

const headerValues = {
  authorization: nearly(
    'Bearer full',
    'bearer full',
    'Bearer reader',
    'Bearer amy',
    'Bearer none',
    'Basic ZnVsbA==',
  ),
  accept: nearly(
    'application/json',
    'application/fhir+json;q=0.5, */*;q=0.1',
    'text/html',
    '*/*;q=0',
    'a/b;q="',
  ),
  'content-type': nearly(
    'application/json',
    'application/fhir+json; charset="utf-8"',
    'application/json;charset=x',
  ),
  'content-encoding': nearly('identity', 'gzip'),
  prefer: nearly(...preferences, 'return=representation; handling="strict"'),
  'if-match': nearly('W/"1"', '"1", W/"2"', '*', 'W/"999999999999999999"', 'W/""', '1'),
  'if-unmodified-since': nearly(
    ...['Sun, 01 Mar 2026 08:00:00 GMT', 'Sunday, 01-Mar-26 08:00:00 GMT', 'Sun Mar  1 08:00:00 2026', '0'],
    ...['Fri, 31 Dec 9999 23:59:60 GMT', 'Mon, 99 Feb 0000 99:99:99 GMT', '2026-03-01T08:00:00Z'],
  ),
} as const;

const headerLists = Object.fromEntries(
  Object.entries(headerValues).map(([name, value]) => [
    name,
    fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: fc.array(value, { maxLength: 3 }) }),
  ]),
);

/** A few headers beside a token, or instead of it: not much is looked at without one. */
const headers = fc
  .tuple(
    fc.shuffledSubarray(Object.keys(headerValues), { maxLength: 3 }),
    fc.record(headerLists),
    fc.integer({ min: 0, max: 5 }),
  )
  .map(([names, values, dice]) => ({
    ...(dice > 0 && authorized),
    ...Object.fromEntries(names.map((name) => [name, values[name]])),
  }));

/** Requests that are sound but for their headers. */
export const requestsWithHeaders: fc.Arbitrary<HttpRequest> = fc
  .record({
    request: fc.constantFrom(
      ...writes.map(({ body, ...request }) => ({ ...request, body: JSON.stringify(body) })),
      { method: 'GET', url: '/fhir/CareTeam/amy' },
      { method: 'GET', url: '/fhir/Goal' },
      { method: 'GET', url: '/fhir/commands?patient=amy&status=staged' },
      { method: 'GET', url: '/fhir/commands/Goal/staged/0' },
      { method: 'POST', url: '/fhir/Goal/_search', body: '_id=told' },
    ),
    headers,
  })
  .map(({ request, headers: sent }) => ({ ...request, headers: sent }));

const id = nearly('amy', 'ben', 'amy.inactive', 'amy.entered-in-error', 'ben.', '.inactive', 'told', 'shot');

const segment = fc.oneof(
  { weight: 2, arbitrary: resourceType },
  { weight: 3, arbitrary: id },
  { weight: 1, arbitrary: id.map(encodeComponent) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '_search', '_history', 'Patient', 'metadata', '$everything', 'fhir'),
  },
);

const url = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(resourceType, id).map(([type, one]) => `/fhir/${type}/${one}`) },
  {
    weight: 2,
    arbitrary: fc.array(segment, { maxLength: 5 }).map((segments) => `/fhir/${segments.join('/')}`),
  },
  { weight: 1, arbitrary: mutate('/fhir/CareTeam/amy?patient=amy#top') },
  { weight: 1, arbitrary: mutate('/fhir/commands/Goal/staged/0/commit') },
  { weight: 1, arbitrary: mutate('https://clinic.example:443/fhir/CareTeam/amy') },
  { weight: 1, arbitrary: oddText },
);

const method = nearly(
  'GET',
  'GET',
  'HEAD',
  'PUT',
  'PUT',
  'POST',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'get',
);

const bodyNaming = (one: string) =>
  fc
    .constantFrom<object>(careTeam, newStatement, mistakenStatement)
    .map((body) => JSON.stringify({ ...body, id: one, subject: undefined }));

/** Requests with other methods, paths and ids, whose bodies name the same id if they have one. */
export const requestsToPaths: fc.Arbitrary<HttpRequest> = fc
  .tuple(method, url, token)
  .chain(([chosen, at, token]) =>
    fc.record({
      method: fc.constant(chosen),
      url: fc.constant(at),
      headers: fc.constant({ authorization: `Bearer ${token}` }),
      body: fc.oneof(bodyNaming(at.slice(at.lastIndexOf('/') + 1)), fc.constant(undefined)),
    }),
  );
