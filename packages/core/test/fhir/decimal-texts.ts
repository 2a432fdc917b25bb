import * as fc from 'fast-check';

const digits = (minLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength: 25 });

/** Decimals as FHIR allows them, with as many digits, zeros and exponents as a sender may write. FHIR R4, Datatypes, decimal. */
export const decimalTexts: fc.Arbitrary<string> = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: fc.oneof(
      fc.constant('0'),
      fc.tuple(fc.constantFrom(...'123456789'), digits(0)).map((parts) => parts.join('')),
    ),
    fraction: fc.oneof(
      fc.constant(''),
      digits(1).map((part) => `.${part}`),
    ),
    exponent: fc.oneof(
      fc.constant(''),
      fc
        .tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), fc.nat(200))
        .map((parts) => parts.join('')),
    ),
  })
  .map(({ sign, whole, fraction, exponent }) => `${sign}${whole}${fraction}${exponent}`);
