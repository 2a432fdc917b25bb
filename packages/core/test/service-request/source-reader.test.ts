import { describe, expect, test } from 'vitest';
import { deriveServiceRequest } from '../../src/service-request/record.ts';
import { createServiceRequestSourceReader } from '../../src/service-request/source.ts';
import { extensionBase } from '../builders.ts';
import { expectInvalid, rightOf } from '../results.ts';

const derive = deriveServiceRequest(extensionBase);

const read = createServiceRequestSourceReader({ now: () => 1_000, extensionBase });
const imaging = { system: 'http://snomed.info/sct', code: '363679005', display: 'Imaging' };
const loinc = { system: 'http://loinc.org', code: '24627-2', display: 'CT Chest' };
const foreign = (rest: object = {}) => ({
  resourceType: 'ServiceRequest',
  id: 's1',
  status: 'active',
  intent: 'order',
  category: [{ coding: [imaging] }],
  code: { coding: [loinc] },
  subject: { reference: 'Patient/p1' },
  authoredOn: '2026-01-02T03:04:05.678+00:00',
  ...rest,
});
const request = (rest: object = {}) => derive(rightOf(read(foreign(rest))).value);
const issuesOf = (rest: object) =>
  rightOf(read(foreign(rest))).issues.map(({ rule, expression }) => `${rule} at ${expression}`);

test.each(['active', 'completed', 'draft', 'entered-in-error'])(
  'a request that is %s in the source is so here',
  (status) => {
    expect(request({ status })?.status).toBe(status);
  },
);

test.each([
  ['draft', [false, false, false]],
  ['active', [true, false, false]],
  ['completed', [true, true, false]],
  ['entered-in-error', [true, false, true]],
])('a request that is %s was committed, completed and entered in error: %j', (status, acts) => {
  const { commands } = rightOf(read(foreign({ status }))).value;
  expect(
    commands.map(({ committed, completed, enteredInError }) =>
      [committed, completed, enteredInError].map((act) => act !== undefined),
    ),
  ).toEqual([acts]);
});

test('a request that the library has returned is read as itself', () => {
  const ours = foreign({
    subject: { reference: 'Patient/p1', type: 'Patient' },
    occurrencePeriod: { start: '2026-02-01', end: '2026-02-28' },
    requester: { reference: 'Practitioner/dr-1', type: 'Practitioner', display: 'Dr One' },
    reasonReference: [{ reference: 'Condition/c1', type: 'Condition' }],
  });
  expect(rightOf(read(ours)).issues).toEqual([]);
  expect(derive(rightOf(read(ours)).value)).toEqual(ours);
});

test('a code without a display gets the text beside it', () => {
  const { display: _, ...bare } = loinc;
  expect(request({ code: { coding: [bare], text: 'CT' } })?.code.coding).toEqual([
    { ...bare, display: 'CT' },
  ]);
});

test('the codings and categories of the interface are kept', () => {
  const derived = request({
    category: [
      { text: 'Scans' },
      {
        coding: [
          { system: 'urn:x', code: '363679005' },
          { ...imaging, display: 'CT' },
        ],
      },
    ],
    code: { coding: [{ system: 'urn:x', code: '7' }, loinc, { system: 'http://loinc.org' }], text: 'CT' },
  });
  expect([derived?.category, derived?.code]).toEqual([
    [{ coding: [imaging] }],
    {
      extension: [{ system: 'urn:x', code: '7' }, { system: 'http://loinc.org' }].map((valueCoding) => ({
        url: `${extensionBase}/further-coding`,
        valueCoding,
      })),
      coding: [loinc],
      text: 'CT',
    },
  ]);
});

test('the first of several categories counts, and the others are reported', () => {
  const laboratory = { ...imaging, code: '108252007', display: 'Laboratory procedure' };
  const evaluation = { ...imaging, code: '386053000', display: 'Evaluation procedure (procedure)' };
  const category = [
    { text: 'Blood' },
    { coding: [laboratory, imaging] },
    { coding: [laboratory] },
    { coding: [{ system: 'urn:x' }, evaluation] },
  ];
  expect(request({ category })?.category).toEqual([{ coding: [laboratory] }]);
  expect(issuesOf({ category })).toEqual([
    'left-out at ServiceRequest.category[0]',
    'left-out at ServiceRequest.category[1].coding[1]',
    'left-out at ServiceRequest.category[3].coding[1]',
  ]);
});

test.each([
  ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000+00:00'],
  ['2026-01-02T03:04:05.6-05:00', '2026-01-02T03:04:05.600-05:00'],
  ['2026-01-02', '2026-01-02'],
  ['2026', '2026'],
])('an order that was authored elsewhere at %s has the time %s', (authoredOn, answered) => {
  expect(request({ authoredOn })?.authoredOn).toBe(answered);
});

test('a period has a start, an end or both', () => {
  for (const occurrencePeriod of [{ start: '2026-02-01' }, { end: '2026-02-28' }])
    expect(request({ occurrencePeriod })?.occurrencePeriod).toEqual(occurrencePeriod);
  expect(request()).not.toHaveProperty('occurrencePeriod');
});

test('an occurrence time is a period of that time', () => {
  expect(request({ occurrenceDateTime: '2026-02-01' })?.occurrencePeriod).toEqual({
    start: '2026-02-01',
    end: '2026-02-01',
  });
});

test('a requester that is not a practitioner and a reason that is not a condition are left out and reported', () => {
  const rest = {
    requester: { reference: 'Organization/o1' },
    reasonReference: [{ reference: 'Observation/x' }, { display: 'Cough' }],
  };
  const derived = request(rest);
  expect(derived).not.toHaveProperty('requester');
  expect(derived).not.toHaveProperty('reasonReference');
  expect(issuesOf(rest)).toEqual([
    'left-out at ServiceRequest.requester',
    'left-out at ServiceRequest.reasonReference[0]',
    'left-out at ServiceRequest.reasonReference[1]',
  ]);
});

describe('a request that cannot be imported is refused', () => {
  test.each([
    ['another state', { status: 'revoked' }, 'value at ServiceRequest.status'],
    ['another intent', { intent: 'plan' }, 'value at ServiceRequest.intent'],
    [
      'another category',
      { category: [{ coding: [{ ...imaging, code: '1' }] }] },
      'unsupported-codes at ServiceRequest.category',
    ],
    ['no category', { category: undefined }, 'required at ServiceRequest.category'],
    ['no code', { code: { coding: [] } }, 'unsupported-codes at ServiceRequest.code'],
    ['no time of authoring', { authoredOn: undefined }, 'required at ServiceRequest.authoredOn'],
    ['no patient', { subject: { reference: 'Device/1' } }, 'reference at ServiceRequest.subject'],
  ])('%s', (_what, rest, fault) => {
    expectInvalid(read(foreign(rest)), fault);
  });
});

test('the category is that of any coding with a known system and code', () => {
  const other = { system: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-category', code: 'sdoh' };
  expect(request({ category: [{ coding: [other, imaging] }] })?.category).toEqual([{ coding: [imaging] }]);
  expectInvalid(
    read(foreign({ category: [{ coding: [{ ...other, code: imaging.code }] }] })),
    'unsupported-codes at ServiceRequest.category',
  );
});
