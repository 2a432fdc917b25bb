import { z } from 'zod';
import { code, nonEmptyElement, text } from './element.ts';
import { named, type SchemaOutput } from './schema-output.ts';

const amount = {
  /** The number. */
  value: z.number().optional(),
  /** The unit, for people. */
  unit: text.optional(),
  /** The URI of the system that defines the `code` of the unit, such as `http://unitsofmeasure.org`. */
  system: text.optional(),
  /** The unit, for programs. */
  code: code.optional(),
};

const unstored = ['_value', '_unit', '_system', '_code'];

const simpleQuantitySchema = nonEmptyElement(amount, unstored);

/** An amount in a unit. FHIR R4, Datatypes, 2.24.0.7.1. */
export interface SimpleQuantity extends SchemaOutput<typeof simpleQuantitySchema> {}

export const simpleQuantity = named<SimpleQuantity>(simpleQuantitySchema);
