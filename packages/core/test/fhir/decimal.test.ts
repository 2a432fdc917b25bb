import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { element, integer, positiveInteger } from '../../src/fhir/element.ts';
import { createBodyParser } from '../../src/fhir/parse-body.ts';
import { quantity } from '../../src/fhir/quantity.ts';
import { readJson } from '../../src/fhir/read-json.ts';
import { Decimal, isObject, renderJson } from '../../src/fhir/schema.ts';
import { toStoredElement } from '../../src/fhir/stored-element.ts';
import { leftOf, refusal, rightOf } from '../results.ts';
import { decimalTexts } from './decimal-texts.ts';

const parse = createBodyParser(
  element({ amount: quantity.optional(), count: positiveInteger.optional(), change: integer.optional() }, []),
  'Thing',
);
const parseText = (text: string) => parse(readJson(text).value, 'strict');

describe('A decimal keeps the text that was sent', () => {
  test('through a body, a state that is stored and loaded, and a resource', () => {
    fc.assert(
      fc.property(decimalTexts, fc.string(), (decimal, unit) => {
        const name = JSON.stringify(`${unit}.`);
        const text = `{"amount":{"value":${decimal},"unit":${name}}}`;
        const state = JSON.stringify(toStoredElement(rightOf(parseText(text))));
        expect(renderJson(JSON.parse(state))).toBe(text);
        expect(JSON.stringify(JSON.parse(state))).toBe(state);
      }),
    );
  });
  test('with zeros, digits and exponents that JavaScript does not write', () => {
    for (const decimal of [
      '0.50',
      '-0',
      '0e5',
      '1E+02',
      '5e-324',
      '1.7976931348623157e308',
      '0.1234567890123456789',
    ]) {
      const text = `{"amount":{"value":${decimal}}}`;
      expect(renderJson(rightOf(parseText(text)))).toBe(text);
    }
  });
  test('and no string of a resource is changed', () => {
    const text = '{"decimal":"0.50"}';
    expect(JSON.parse(renderJson({ text, value: new Decimal('0.50') }))).toEqual({ text, value: 0.5 });
  });
  test('it is not an object of JSON', () => {
    expect([isObject(new Decimal('0.50')), isObject({})]).toEqual([false, true]);
  });
});

test('A whole number beyond 32 bits is refused with the range', () => {
  for (const count of ['12345678901234567890', '2147483648', '0', '-0']) {
    const [issue] = leftOf(parseText(`{"count":${count}}`)).issues;
    expect(issue?.message).toBe('Not one of the allowed values. Allowed: 1 to 2147483647.');
  }
});

describe('A number is refused', () => {
  test.each(['1e400', '-1e400', '1e-400', '0.01e-400'])('if JavaScript has none for it: %s', (value) => {
    const result = parseText(`{"amount":{"value":${value}}}`);
    expect(refusal(result)).toEqual(['InvalidRequest', 'decimal at Thing.amount.value']);
    expect(leftOf(result).issues[0]?.message).toBe(
      'A number must be 0, or between 5e-324 and 1.7976931348623157e308, positive or negative.',
    );
  });
  test.each<unknown>(['0.50', true, null, [1], { decimal: '0.50' }, Number.NaN, Number.POSITIVE_INFINITY])(
    'if it is none: %j',
    (value) => {
      expect(refusal(parse({ amount: { value }, count: value }, 'strict'))).toEqual([
        ...['InvalidRequest', 'type at Thing.amount.value', 'type at Thing.count'],
      ]);
    },
  );
  test.each(['1.0', '1e0', '1.00000000000000000001'])('if it should be a whole number: %s', (count) => {
    const result = parseText(`{"count":${count},"change":${count}}`);
    expect(refusal(result)).toEqual([
      ...['InvalidRequest', 'integer-form at Thing.change', 'integer-form at Thing.count'],
    ]);
    expect(leftOf(result).issues[0]?.message).toBe(
      'A whole number must have no decimal point and no exponent.',
    );
  });
});

test('Its JSON Schema is that of a number, and of an integer', () => {
  expect(z.toJSONSchema(quantity, { io: 'input' })).toMatchObject({
    properties: { value: { type: 'number' } },
  });
  expect(z.toJSONSchema(positiveInteger, { io: 'input' })).toMatchObject({ type: 'integer', minimum: 1 });
});
