import { type UsCoreType, usCoreMeta } from '../../serve/us-core.ts';

/** A resource that conforms to US Core. */
export const resource = (resourceType: UsCoreType, id: string, elements: object) => ({
  resourceType,
  id,
  meta: usCoreMeta(resourceType),
  ...elements,
});

const concept = (system: string, code: string, display: string) => ({
  coding: [{ system, code, display }],
});

export const snomed = (code: string, display: string) => concept('http://snomed.info/sct', code, display);

/** A code of a system of HL7, such as `v3-ActCode`. */
export const hl7 = (system: string, code: string, display: string) =>
  concept(`http://terminology.hl7.org/CodeSystem/${system}`, code, display);

export const reference = (type: UsCoreType, id: string) => ({ reference: `${type}/${id}`, type });

export const phone = (use: 'home' | 'work', value: string) => [{ system: 'phone', value, use }];

export const address = (use: 'home' | 'work', line: string) => ({
  use,
  line: [line],
  city: 'Portland',
  state: 'ME',
  postalCode: '04101',
  country: 'US',
});

/** A number for the tests of programs: its check digit is right, and nobody has it. */
export const npi = (value: string) => [{ system: 'http://hl7.org/fhir/sid/us-npi', value }];
