import * as fc from 'fast-check';
import type { HttpRequest } from '../../src/index.ts';
import { nearly, oddText } from './texts.ts';
import { encodeComponent, resourceType, token } from './words.ts';

const preferences = ['handling=strict', 'handling=lenient'];

const parameterName = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...['_id', 'patient', 'status', 'code', 'category', 'authored', 'participant'],
      ...['_count', '_offset', '_after', '_format', 'patient:missing', 'patient.name', 'PATIENT', '_id '],
    ),
  },
  { weight: 1, arbitrary: oddText },
);

const parameterValue = nearly(
  ...['amy', 'Patient/amy', 'Patient/ben', 'Practitioner/ada', 'active', 'active,inactive', '0', '1', '10'],
  ...[
    '9007199254740991',
    '-1',
    '1.5',
    'eq2025',
    'ap2025-10',
    'ge2025-10-01T08:00:00%2B02:00',
    'lt9999',
    'ap0001',
  ],
  ...[
    'http://snomed.info/sct|108252007',
    '|718-7',
    'http://loinc.org|',
    '|',
    'a\\,b',
    '\\',
    'a|b|c',
    ',',
    ',,,',
  ],
);

const soundParameter = fc.constantFrom(
  ...[
    'patient=Patient/amy',
    'patient=ben',
    'status=active',
    '_count=2',
    '_offset=1',
    '_count=0',
    '_id=amy,told',
  ],
  ...['code=718-7', 'authored=ge2026', 'category=108252007', 'participant=Practitioner/ada'],
);

const oddParameter = fc
  .tuple(parameterName, parameterValue, fc.constantFrom('=', '=', '=', '==', ''), fc.boolean())
  .map(([name, value, equals, escapes]) =>
    escapes ? encodeComponent(name) + equals + encodeComponent(value) : name + equals + value,
  );

const parameter = fc.oneof(soundParameter, oddParameter);

const query = fc
  .tuple(
    fc.oneof(
      { weight: 9, arbitrary: fc.array(parameter, { maxLength: 4 }) },
      fc.array(parameter, { maxLength: 99 }),
    ),
    fc.constantFrom('&', '&', '&', '&&', ';', '?', '#'),
  )
  .map(([parameters, separator]) => parameters.join(separator));

/** Searches, in a query string, in a form or in both. */
export const searches: fc.Arbitrary<HttpRequest> = fc
  .record({
    type: resourceType,
    inUrl: query,
    inForm: fc.option(query),
    token: token,
    prefer: nearly(...preferences),
  })
  .map(({ type, inUrl, inForm, token, prefer }) => {
    const headers = { authorization: `Bearer ${token}`, prefer };
    return inForm === null
      ? { method: 'GET', url: `/fhir/${type}?${inUrl}`, headers }
      : {
          method: 'POST',
          url: `/fhir/${type}/_search?${inUrl}`,
          headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
          body: inForm,
        };
  });
