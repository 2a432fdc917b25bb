import { describe, expect, test } from 'vitest';
import { createTimeZone, utc } from '../../src/fhir/date-time.ts';
import {
  deriveServiceRequest,
  indexServiceRequest,
  serviceRequestParameters,
} from '../../src/service-request/record.ts';
import { committed, extensionBase, orderBody, recordOf } from '../builders.ts';

const entriesOf = (rest: Parameters<typeof orderBody>[0] = {}, zone = utc) => {
  const request = deriveServiceRequest(extensionBase)(recordOf(committed(orderBody(rest), 1)));
  if (request === null) throw new Error('there is no request');
  return indexServiceRequest(request, zone);
};

test('an order is found by status, category, code and when it was authored', () => {
  const at = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  expect(entriesOf()).toEqual([
    { kind: 'token', parameter: 'status', system: 'http://hl7.org/fhir/request-status', code: 'active' },
    { kind: 'token', parameter: 'category', system: 'http://snomed.info/sct', code: '108252007' },
    { kind: 'token', parameter: 'code', system: 'http://loinc.org', code: '2093-3' },
    { kind: 'date', parameter: 'authored', from: at, until: at + 1 },
  ]);
});

test('an order is found by each of its codings', () => {
  const system = 'http://loinc.org' as const;
  const entries = entriesOf({
    code: {
      coding: [
        { system, code: '1-8' },
        { system, code: '2-6' },
      ],
    },
  });
  expect(entries.filter(({ parameter }) => parameter === 'code')).toEqual([
    { kind: 'token', parameter: 'code', system, code: '1-8' },
    { kind: 'token', parameter: 'code', system, code: '2-6' },
  ]);
});

test('an order is found by a code of 500 characters, and a longer one is only known to be there', () => {
  const system = 'http://loinc.org' as const;
  const coding = [500, 501].map((length) => ({ system, code: 'x'.repeat(length) }));
  const entries = entriesOf({ code: { coding } });
  expect(entries.filter(({ parameter }) => parameter === 'code')).toEqual([
    { kind: 'token', parameter: 'code', system, code: 'x'.repeat(500) },
    { kind: 'token', parameter: 'code', system: '', code: '' },
  ]);
});

describe('an authored time', () => {
  const authored = (authoredOn: string, zone = utc) =>
    entriesOf({ authoredOn }, zone).find(({ kind }) => kind === 'date');

  test('with less precision is the whole interval that it names', () => {
    const interval = { from: Date.UTC(2026, 1, 1), until: Date.UTC(2026, 2, 1) };
    expect(authored('2026-02')).toEqual({ kind: 'date', parameter: 'authored', ...interval });
  });

  test('without an offset is in the configured zone', () => {
    const interval = { from: Date.UTC(2026, 0, 2, 5), until: Date.UTC(2026, 0, 3, 5) };
    expect(authored('2026-01-02', createTimeZone('America/New_York'))).toEqual({
      kind: 'date',
      parameter: 'authored',
      ...interval,
    });
  });
});

test('the search parameters are those of the interface, `subject` and `_lastUpdated`', () => {
  expect(Object.keys(serviceRequestParameters)).toEqual([
    '_id',
    '_lastUpdated',
    'patient',
    'subject',
    'authored',
    'status',
    'category',
    'code',
    'identifier',
    'requisition',
  ]);
  expect(serviceRequestParameters.status.codes).toEqual(['active', 'completed', 'draft', 'entered-in-error']);
});
