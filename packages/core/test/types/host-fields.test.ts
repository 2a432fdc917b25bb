import {
  type ClinicalRecordsOptions,
  defineExtension,
  extensionOf,
  type ImmunizationCreateBody,
  withExtension,
} from '@clinical-records/core';
import { expectTypeOf, test } from 'vitest';

const consent = defineExtension({
  url: 'https://acme.example/consent',
  on: 'Immunization',
  value: 'boolean',
});
const origin = defineExtension({ url: 'https://acme.example/origin', on: 'Goal', value: 'Coding', max: 3 });
const once = defineExtension({ url: 'https://acme.example/once', on: 'Goal', value: 'decimal', max: 1 });

const body: ImmunizationCreateBody = {
  status: 'completed',
  vaccineCode: { coding: [{ system: 'unstructured', code: 'Tdap' }] },
  patient: { reference: 'Patient/7' },
  occurrenceDateTime: '2026',
  primarySource: false,
};
const dose = { resourceType: 'Immunization', id: '1' };
const run = { resourceType: 'Goal', id: '1', extension: [{ url: origin.url, valueCoding: { code: 'x' } }] };

test('the value of an extension has the type that its definition says', () => {
  expectTypeOf(extensionOf(dose, consent)).toEqualTypeOf<boolean | undefined>();
  expectTypeOf(extensionOf(run, once)).toEqualTypeOf<number | undefined>();
  expectTypeOf(extensionOf(run, origin)[0]?.code).toEqualTypeOf<string | undefined>();
});

test('a body with an extension is one that can be sent, and another value is refused', () => {
  expectTypeOf(withExtension(body, consent, true)).toEqualTypeOf<ImmunizationCreateBody>();
  // @ts-expect-error: the value is a boolean
  withExtension(body, consent, 'yes');
});

test('the option takes definitions, and refuses a value that FHIR does not have', () => {
  expectTypeOf({ [consent.url]: consent }).toExtend<ClinicalRecordsOptions['extensions']>();
  // @ts-expect-error: there is no such type
  defineExtension({ url: 'urn:x', on: 'Goal', value: 'bool' });
});
