import { expect, test } from 'vitest';
import { createUpdateBodySchema } from '../src/care-team/bodies.ts';
import { createBodySchema, updateBodySchema } from '../src/immunization/bodies.ts';

test.each([
  ['the body of an immunization', createBodySchema],
  ['the body of its update', updateBodySchema],
  ['the body of a care team', createUpdateBodySchema],
])('the schema of %s is built once for each extensionBase', (_, schemaOf: (base: string) => unknown) => {
  const north = schemaOf('https://north.example');
  expect(schemaOf('https://south.example')).not.toBe(north);
  expect(schemaOf('https://north.example')).toBe(north);
});
