import { z } from 'zod';
import { code, element, list, text } from './element.ts';
import type { SchemaOutput } from './schema-output.ts';

/** A coding in a response. FHIR R4, Datatypes, 2.24.0.6, without the elements that are not stored. */
export const outputCoding = z.object({
  system: z.string(),
  code: z.string(),
  display: z.string().optional(),
});

/** A codeable concept in a response. */
export const outputConcept = <C extends z.ZodType>(coding: C) => z.object({ coding: z.array(coding) });

/** One code of a code system. FHIR R4, Datatypes, 2.24.0.6, without the elements that are not stored. */
export interface Coding extends SchemaOutput<typeof outputCoding> {}

/**
 * A concept with at least one coding. FHIR R4, Datatypes, 2.24.0.7, without the elements that are not stored.
 * @useDeclaredType
 */
export type CodeableConcept = { readonly coding: readonly Coding[] };

const unstoredCodingElements = [
  'version',
  'userSelected',
  '_system',
  '_version',
  '_code',
  '_display',
  '_userSelected',
];

/** A coding in a request. */
export const coding = <System extends z.ZodType<string>, Display extends z.ZodType<string | undefined>>(
  system: System,
  display: Display,
) => element({ system, code, display }, unstoredCodingElements);

/** A codeable concept in which every element is optional, as in FHIR. */
export const anyConcept = element(
  {
    coding: list(
      element(
        { system: text.optional(), code: code.optional(), display: text.optional() },
        unstoredCodingElements,
      ),
    ).optional(),
    text: text.optional(),
  },
  ['_text'],
);

/** A codeable concept in a request, with at least one coding. */
export const codeableConcept = <C extends z.ZodType>(codingSchema: C) =>
  element({ coding: list(codingSchema).min(1) }, ['text', '_text']);
