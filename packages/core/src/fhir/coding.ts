import { z } from 'zod';
import { code, element, list, text } from './element.ts';
import { named, type SchemaOutput } from './schema-output.ts';

/** One code of a code system. FHIR R4, Datatypes, 2.24.0.6, without the elements that are not stored. */
export interface Coding<System extends string = string, Code extends string = string> {
  /** The URI of the code system. */
  readonly system: System;
  /** The code, as the system writes it. */
  readonly code: Code;
  /** The meaning of the code, in words. */
  readonly display?: string | undefined;
}

/** A concept with at least one coding. FHIR R4, Datatypes, 2.24.0.7, without the elements that are not stored. */
export interface CodeableConcept<AnyCoding = Coding> {
  /** The codes of the concept; each says the same in another code system. */
  readonly coding: readonly AnyCoding[];
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

/** A codeable concept in a command, with at least one coding. */
export const commandConcept = <C>(codingSchema: z.ZodType<C>): z.ZodType<CodeableConcept<C>> =>
  z.strictObject({ coding: z.array(codingSchema).min(1) });

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

const anyCoding = element(
  {
    /** The URI of the code system. */
    system: text.optional(),
    /** The code, as the system writes it. */
    code: code.optional(),
    /** The meaning of the code, in words. */
    display: text.optional(),
  },
  unstoredCodingElements,
);

/** A coding in which every element is optional, as in FHIR. */
export interface PartialCoding extends SchemaOutput<typeof anyCoding> {}

const anyConceptSchema = element(
  {
    /** The codes of the concept. */
    coding: list(named<PartialCoding>(anyCoding)).optional(),
    /** The concept in words. */
    text: text.optional(),
  },
  ['_text'],
);

/** A codeable concept in which every element is optional, as in FHIR. */
export interface PartialCodeableConcept extends SchemaOutput<typeof anyConceptSchema> {}

export const anyConcept = named<PartialCodeableConcept>(anyConceptSchema);

/** A codeable concept in a request, with at least one coding. */
export const codeableConcept = <C>(codingSchema: z.ZodType<C>): z.ZodType<CodeableConcept<C>> =>
  element({ coding: list(codingSchema).min(1) }, ['text', '_text']);
