import { describe, expect, test } from 'vitest';
import { createTimeZone, utc } from '../../src/fhir/date-time.ts';
import type { Timing } from '../../src/fhir/quantity.ts';
import { defineServiceRequestRecord, serviceRequestParameters } from '../../src/service-request/record.ts';
import { committed, extensionBase, orderBody, recordOf } from '../builders.ts';

const entriesOf = (rest: Parameters<typeof orderBody>[0] = {}, zone = utc) => {
  const derived = defineServiceRequestRecord({ zone, extensionBase }).derive(
    recordOf(committed(orderBody(rest), 1)),
  );
  if (derived === null) throw new Error('there is no request');
  return derived.index;
};

test('an order is found by status, category, code and when it was authored', () => {
  const at = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  expect(entriesOf()).toEqual([
    { kind: 'date', parameter: 'authored', from: at, until: at + 1 },
    { kind: 'token', parameter: 'status', system: 'http://hl7.org/fhir/request-status', code: 'active' },
    { kind: 'token', parameter: 'category', system: 'http://snomed.info/sct', code: '108252007' },
    { kind: 'token', parameter: 'code', system: 'http://loinc.org', code: '2093-3' },
    { kind: 'reference', parameter: 'requester', type: 'Practitioner', id: 'dr-1' },
  ]);
});

test('an order is found by its encounter and its priority, if it has them', () => {
  const elements = { encounter: { reference: 'Encounter/e1', display: 'Visit' }, priority: 'stat' } as const;
  expect(entriesOf({ elements }).slice(-2)).toEqual([
    { kind: 'reference', parameter: 'encounter', type: 'Encounter', id: 'e1' },
    { kind: 'token', parameter: 'priority', system: 'http://hl7.org/fhir/request-priority', code: 'stat' },
  ]);
  expect(entriesOf({ elements: { encounter: { display: 'Visit' } } })).toEqual(entriesOf());
});

describe('an order is found by when it is to be done', () => {
  const [before, after] = [-7e13, 3e14];
  const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
  const occurrenceOf = (rest: Parameters<typeof orderBody>[0], zone = utc) =>
    entriesOf(rest, zone).flatMap((entry) =>
      entry.kind === 'date' && entry.parameter === 'occurrence' ? [[entry.from, entry.until]] : [],
    );

  test.each<[name: string, period: { start?: string; end?: string }, from: number, until: number]>([
    ['a period', { start: '2026-03-01', end: '2026-03-02' }, day('2026-03-01'), day('2026-03-03')],
    ['a period without an end', { start: '2026-03' }, day('2026-03-01'), after],
    ['a period without a start', { end: '2026' }, before, day('2027-01-01')],
  ])('%s', (_name, occurrencePeriod, from, until) => {
    expect(occurrenceOf({ occurrencePeriod })).toEqual([[from, until]]);
  });

  test.each<[name: string, timing: Timing, from: number, until: number]>([
    ['moments', { event: ['2026-03-05', '2026-03-01'] }, day('2026-03-01'), day('2026-03-06')],
    [
      'a repeated time with bounds',
      { repeat: { boundsPeriod: { start: '2026-03-01', end: '2026-03-31' }, frequency: 1 } },
      day('2026-03-01'),
      day('2026-04-01'),
    ],
    [
      'moments, and bounds around them',
      { event: ['2026-03-05'], repeat: { boundsPeriod: { start: '2026-03-01' } } },
      day('2026-03-01'),
      after,
    ],
    [
      'bounds in the wrong order',
      { repeat: { boundsPeriod: { start: '2026', end: '2025' } } },
      ...([day('2026-01-01'), day('2026-01-01')] as const),
    ],
    ['a timing without limits', { code: { text: 'daily' } }, before, after],
  ])('%s', (_name, occurrenceTiming, from, until) => {
    expect(occurrenceOf({ elements: { occurrenceTiming } })).toEqual([[from, until]]);
  });

  test('or not, if it does not say when', () => {
    expect(occurrenceOf({})).toEqual([]);
  });
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

test('the statuses are those of the interface', () => {
  expect(serviceRequestParameters.status.codes).toEqual(['active', 'completed', 'draft', 'entered-in-error']);
});
