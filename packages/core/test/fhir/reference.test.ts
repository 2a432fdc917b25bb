import { describe, expect, test } from 'vitest';
import { createBodyParser } from '../../src/fhir/parse-body.ts';
import { createReference, parseReference, readReferenceId, reference } from '../../src/fhir/reference.ts';
import { expectInvalid, rightOf } from '../results.ts';

test('references are strings of the form <ResourceType>/<id>, and carry their type', () => {
  expect(createReference('Patient', '7')).toEqual({ reference: 'Patient/7', type: 'Patient' });
  expect(readReferenceId({ reference: 'Patient/a.b-7' })).toBe('a.b-7');
});

test.each([
  ['Patient/7', { type: 'Patient', id: '7' }],
  ['ServiceRequest/A-z.9', { type: 'ServiceRequest', id: 'A-z.9' }],
  [`Note/${'x'.repeat(64)}`, { type: 'Note', id: 'x'.repeat(64) }],
])('%s is a reference', (text, parsed) => {
  expect(parseReference(text)).toEqual(parsed);
});

test.each([
  '',
  '/',
  'Patient',
  'Patient/',
  '/7',
  'patient/7',
  'Pat1ent/7',
  'Patient/7/8',
  'Patient/7\n',
  'Patient/a b',
  'Patient/a_b',
  'Patient/%37',
  'Patient/7?x',
  '#contained',
  'urn:uuid:7',
  'https://x.example/Patient/7',
  `Patient/${'x'.repeat(65)}`,
])('%j is not a reference', (text) => {
  expect(parseReference(text)).toBeNull();
});

describe('a sent reference', () => {
  const parse = createBodyParser(reference('Practitioner', 'Organization'), 'Reference');

  test('may have its type', () => {
    for (const sent of [
      { reference: 'Practitioner/7' },
      { reference: 'Organization/7', type: 'Organization' },
    ]) {
      expect(rightOf(parse(sent, 'strict'))).toEqual(sent);
    }
  });

  test.each([
    [
      'that contradicts the reference',
      { reference: 'Practitioner/7', type: 'Organization' },
      'reference-type at Reference.type',
    ],
    [
      'that is not an allowed one',
      { reference: 'Practitioner/7', type: 'Patient' },
      'value at Reference.type',
    ],
    ['without a reference', { type: 'Practitioner' }, 'required at Reference.reference'],
  ])('cannot have the type %s', (_what, sent, fault) => {
    expectInvalid(parse(sent, 'lenient'), fault);
  });

  test.each([
    'zzz',
    '',
    'Practitioner',
    'Practitioner/',
    'Practitioner/7/8',
    'Organization/a b',
    'Patient/7',
  ])('that is invalid, such as %j, has no type that could be contradicted', (to) => {
    for (const type of ['Practitioner', 'Organization']) {
      const fault = 'reference at Reference.reference';
      expectInvalid(parse({ reference: to, type }, 'lenient'), fault);
    }
  });

  test.each(['identifier', '_reference', '_type', '_display', 'id', 'extension'])(
    'cannot hide a contradiction behind %s',
    (name) => {
      const sent = { reference: 'Practitioner/7', type: 'Organization', [name]: 'x' };
      expectInvalid(parse(sent, 'lenient'), 'reference-type at Reference.type');
    },
  );
});
