import * as z from 'zod';
import { anyConcept } from './coding.ts';
import { period } from './date-time.ts';
import { essential, nonEmptyElement, text } from './element.ts';
import { elementReference } from './reference.ts';
import { named, type SchemaOutput } from './schema.ts';

const identifierSchema = nonEmptyElement(
  {
    /** The purpose of the identifier. */
    use: z.enum(['usual', 'official', 'temp', 'secondary', 'old']).optional(),
    /** The kind of the identifier, such as a medical record number. */
    type: anyConcept.optional(),
    /** The URI of the namespace in which the `value` is unique. */
    system: essential(text.optional()),
    /** The number or text that is written on a card, a label or a letter. */
    value: text.optional(),
    /** From when to when the identifier is in use. */
    period: period.optional(),
    /** The organization that issued it. */
    assigner: elementReference('Organization').optional(),
  },
  ['_use', '_system', '_value'],
);

/** A number or text by which people and other systems know something. FHIR R4, Datatypes, 2.24.0.11. */
export interface Identifier extends SchemaOutput<typeof identifierSchema> {}

/** The schema of an identifier. */
export const identifier = named<Identifier>(identifierSchema);

/** The system and the code by which a token parameter finds each identifier that has a value. FHIR R4, Search, 3.1.1.4.10. */
export const identifierTokens = (
  identifiers: readonly Identifier[],
): readonly { readonly system: string; readonly code: string }[] =>
  identifiers.flatMap(({ system = '', value }) => (value === undefined ? [] : [{ system, code: value }]));
