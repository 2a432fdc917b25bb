import { expect, test } from 'vitest';
import { identifier, identifierTokens } from '../../src/fhir/identifier.ts';
import { createBodyParser } from '../../src/fhir/parse-body.ts';
import { expectInvalid, rightOf } from '../results.ts';

const parse = createBodyParser(identifier, 'Identifier');

test('an identifier with all elements is accepted', () => {
  const sent = {
    use: 'official',
    type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MR' }] },
    system: 'urn:oid:1.2.36.146.595.217.0.1',
    value: '12345',
    period: { start: '2001-05-06' },
    assigner: { reference: 'Organization/31', type: 'Organization', display: 'Acme Healthcare' },
  };
  expect(rightOf(parse(sent, 'strict'))).toEqual(sent);
});

test.each<[what: string, sent: object, issue: string]>([
  ['no content', {}, 'empty at Identifier'],
  ['a use that is none', { use: 'primary', value: '1' }, 'value at Identifier.use'],
  ['an empty value', { value: ' ' }, 'empty at Identifier.value'],
  ['a number as its value', { value: 12345 }, 'type at Identifier.value'],
  [
    'an assigner that is not an organization',
    { value: '1', assigner: { reference: 'Practitioner/7' } },
    'reference at Identifier.assigner.reference',
  ],
  ['a misspelt name', { vlaue: '1', system: 'urn:x' }, 'unknown-element at Identifier.vlaue'],
])('it is refused with %s', (_what, sent, issue) => {
  expectInvalid(parse(sent, 'lenient'), issue);
});

test('a search finds it by its system and its value, and not without a value', () => {
  expect(
    identifierTokens([{ system: 'urn:mrn', value: '7' }, { value: '8' }, { system: 'urn:none' }]),
  ).toEqual([
    { system: 'urn:mrn', code: '7' },
    { system: '', code: '8' },
  ]);
});
