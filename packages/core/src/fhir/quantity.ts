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
const quantitySchema = nonEmptyElement(
  {
    ...amount,
    /** How the amount compares with the `value`, if it is not exact. */
    comparator: z.enum(['<', '<=', '>=', '>']).optional(),
  },
  [...unstored, '_comparator'],
);

/** An amount in a unit, which may be a bound. FHIR R4, Datatypes, 2.24.0.7. */
export interface Quantity extends SchemaOutput<typeof quantitySchema> {}

export const quantity = named<Quantity>(quantitySchema);

const rangeSchema = nonEmptyElement(
  {
    /** The least amount. */
    low: simpleQuantity.optional(),
    /** The greatest amount. */
    high: simpleQuantity.optional(),
  },
  [],
);

/** A range of amounts, both included. FHIR R4, Datatypes, 2.24.0.9. */
export interface Range extends SchemaOutput<typeof rangeSchema> {}

export const range = named<Range>(rangeSchema);

const ratioSchema = nonEmptyElement(
  {
    /** The amount that is divided. */
    numerator: quantity.optional(),
    /** The amount by which it is divided. */
    denominator: quantity.optional(),
  },
  [],
);

/** An amount for each other amount. FHIR R4, Datatypes, 2.24.0.10. */
export interface Ratio extends SchemaOutput<typeof ratioSchema> {}

export const ratio = named<Ratio>(ratioSchema);
