import { z } from 'zod';
import { code, element, list, nonEmptyElement, text } from './element.ts';
import { named, type SchemaOutput } from './schema-output.ts';

/** One code of a code system. FHIR R4, Datatypes, 2.24.0.6. */
export interface Coding<System extends string = string, Code extends string = string> {
  /** The URI of the code system. */
  readonly system: System;
  /** The version of the code system, where it was sent. */
  readonly version?: string | undefined;
  /** The code, as the system writes it. */
  readonly code: Code;
  /** The meaning of the code, in words. */
  readonly display?: string | undefined;
  /** Whether a user chose this coding, where it was sent. */
  readonly userSelected?: boolean | undefined;
}

/** A concept with at least one coding. FHIR R4, Datatypes, 2.24.0.7. */
export interface CodeableConcept<AnyCoding = Coding> {
  /** The codes of the concept; each says the same in another code system. */
  readonly coding: readonly AnyCoding[];
  /** The concept in words, where it was sent. */
  readonly text?: string | undefined;
}

/** A coding in a response. */
export const outputCoding = <System extends string, Code extends string>(
  system: z.ZodType<System>,
  ofSystem: z.ZodType<Code>,
): z.ZodType<Coding<System, Code>> =>
  z.object({ system, code: ofSystem, display: z.string().optional() }) as z.ZodType<Coding<System, Code>>;

/** A codeable concept in a response. */
export const outputConcept = <C>(codingSchema: z.ZodType<C>): z.ZodType<CodeableConcept<C>> =>
  z.object({ coding: z.array(codingSchema) });

const unstoredCodingElements = ['_system', '_version', '_code', '_display', '_userSelected'];

/** A coding in a request. */
export const coding = <
  System extends z.ZodType<string>,
  Code extends z.ZodType<string>,
  Display extends z.ZodType<string | undefined>,
>(
  system: System,
  codes: Code,
  display: Display,
) => element({ system, code: codes, display }, ['version', 'userSelected', ...unstoredCodingElements]);

const codingElements = {
  /** The URI of the code system. */
  system: text.optional(),
  /** The version of the code system. */
  version: text.optional(),
  /** The code, as the system writes it. */
  code: code.optional(),
  /** The meaning of the code, in words. */
  display: text.optional(),
  /** Whether a user chose this coding. */
  userSelected: z.boolean().optional(),
};

const anyCodingSchema = nonEmptyElement(codingElements, unstoredCodingElements);

/** A coding in which every element is optional, as in FHIR. */
export interface PartialCoding extends SchemaOutput<typeof anyCodingSchema> {}

export const anyCoding = named<PartialCoding>(anyCodingSchema);

const anyConceptSchema = nonEmptyElement(
  {
    /** The codes of the concept. */
    coding: list(anyCoding).optional(),
    /** The concept in words. */
    text: text.optional(),
  },
  ['_text'],
);

/** A codeable concept in which every element is optional, as in FHIR. */
export interface PartialCodeableConcept extends SchemaOutput<typeof anyConceptSchema> {}

export const anyConcept = named<PartialCodeableConcept>(anyConceptSchema);

/** A coding in one of some code systems, which is stored as it was sent. */
export const storedCoding = <System extends string>(system: z.ZodType<System>): z.ZodType<Coding<System>> =>
  element({ ...codingElements, system, code }, unstoredCodingElements);

/** A codeable concept in a request, with at least one coding. Its text is not stored. */
export const codeableConcept = <C>(codingSchema: z.ZodType<C>): z.ZodType<CodeableConcept<C>> =>
  element({ coding: list(codingSchema).min(1) }, ['text', '_text']);
