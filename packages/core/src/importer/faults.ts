import { faultsOf } from '../errors.ts';

export const importRules = {
  'no-json': 'This is no JSON.',
  'no-resource': 'This is no FHIR resource with a resourceType and an id.',
  'modifier-extension': 'A modifierExtension, which is not understood, may change what the resource means.',
  'implicit-rules': 'The resource was written under rules of its own, which may change what it means.',
  'of-another-patient': 'A resource of this id is here already, of another patient.',
} as const;

export const importFault = faultsOf(importRules);
