import * as fc from 'fast-check';

/** Any UTF-16 code units, so that lone surrogates and control characters are among them. */
const codeUnits = fc.array(fc.nat(0xff_ff), { maxLength: 30 }).map((units) => String.fromCharCode(...units));

const trickyText = fc.constantFrom(
  ...['', ' ', '\t', '.', '..', '/', '//', '\\', '%', '%00', '%2f', '%2e%2e', '%zz', '%ff', '%e0%80%80'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'then'],
  ...['null', 'undefined', 'true', 'NaN', '-0', '1e999', '9007199254740993', '[object Object]'],
  ...['\u0000', '\u0001', '\u007f', '\ud800', '\udfff', 'a\udc00b', '\u2028', '\ufeff', '\u202e', '💉'],
  ...["' or 1=1 --", '{{7*7}}', '<script>', '"', "'", '\r\nx: y'],
);

/** Words of this clinic and of the interface, in places where they may not belong. */
const knownWord = fc.constantFrom(
  ...['amy', 'ben', 'ada', 'lab', 'told', 'shot', 'note-ben', 'visit-ben', 'amy.inactive', 'amy.active'],
  ...['Patient/amy', 'Patient/ben', 'Practitioner/ada', 'Practitioner/__proto__', 'Organization/lab'],
  ...['Encounter/visit-ben', 'Patient/', '/amy', 'Patient/amy/_history/1', 'http://a/Patient/amy', '#p'],
  ...['active', 'inactive', 'completed', 'entered-in-error', 'not-done', 'order', 'unstructured'],
  ...['2025', '2025-02-29', '2025-10-01', '2025-10-01T08:00:00Z', '0000', '9999-12-31T23:59:60+14:59'],
  ...['http://snomed.info/sct', 'http://snomed.info/sct|', '|718-7', '17561000', '224535009'],
);

const longText = fc
  .tuple(fc.constantFrom('x', ' ', '%', '\\', ',', '"', 'é', '\ud800', '0'), fc.nat(20_000))
  .map(([unit, times]) => unit.repeat(times));

/** Texts that programs stumble over. */
export const oddText = fc.oneof(
  { weight: 4, arbitrary: trickyText },
  { weight: 4, arbitrary: knownWord },
  { weight: 2, arbitrary: codeUnits },
  { weight: 2, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: longText },
);

/** A text with something in it replaced, left out or put in. */
export const mutate = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(text.length), fc.nat(3), oddText)
    .map(([at, skipped, put]) => text.slice(0, at) + put + text.slice(at + skipped));

/** Texts that are as they should be, nearly so, or nothing of the kind. */
export const nearly = (...texts: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...texts) },
    { weight: 3, arbitrary: fc.constantFrom(...texts).chain(mutate) },
    { weight: 2, arbitrary: oddText },
  );
