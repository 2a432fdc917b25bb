import * as z from 'zod';
import { code, element, essential, list, nonEmptyElement, runDespiteIssues, text } from './element.ts';
import type { BodyRule } from './issues.ts';
import { named, type SchemaOutput } from './schema.ts';

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

/** The URL of a code system of HL7 before R4, such as http://hl7.org/fhir/goal-priority, or http://hl7.org/fhir/v3/ActReason. */
const earlierUrl = (system: string): string =>
  system
    .replace(/^http:\/\/terminology\.hl7\.org\/CodeSystem\//, 'http://hl7.org/fhir/')
    .replace(/^(http:\/\/hl7\.org\/fhir\/v[23])-/, '$1/');

/** The URLs of code systems by their OIDs. Source: FHIR R4, Terminology, External code systems. */
const urlsByOid: ReadonlyMap<unknown, string> = new Map([
  ['urn:oid:2.16.840.1.113883.6.1', 'http://loinc.org'],
  ['urn:oid:2.16.840.1.113883.6.12', 'http://www.ama-assn.org/go/cpt'],
  ['urn:oid:2.16.840.1.113883.6.96', 'http://snomed.info/sct'],
  ['urn:oid:2.16.840.1.113883.12.292', 'http://hl7.org/fhir/sid/cvx'],
]);

/** The URL of a code system that was sent by its OID; any other system as it was sent. */
export const urlOfSystem = <System>(sent: System): System | string => urlsByOid.get(sent) ?? sent;

/** Whether a system that was sent is a code system, under its URL, the one that it had before R4, or its OID. */
export const isSameSystem = (sent: unknown, system: string): boolean =>
  urlOfSystem(sent) === system || sent === earlierUrl(system);

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
  system: essential(text.optional()),
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

/** The schema of a coding. */
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

/** The schema of a codeable concept. */
export const anyConcept = named<PartialCodeableConcept>(anyConceptSchema);

/** A coding in one of some code systems, which is stored as it was sent. */
export const storedCoding = <System extends string>(system: z.ZodType<System>): z.ZodType<Coding<System>> =>
  element({ ...codingElements, system, code }, unstoredCodingElements);

/** A codeable concept in a request, with at least one coding. Its text is not stored. */
export const codeableConcept = <C>(codingSchema: z.ZodType<C>): z.ZodType<CodeableConcept<C>> =>
  element({ coding: list(codingSchema).min(1) }, ['text', '_text']);

/** The extension with a coding in a code system that the HTTP interface does not have for the concept. */
export interface FurtherCodingExtension {
  /** The `extensionBase` of the host, and `/further-coding`. */
  readonly url: `${string}/further-coding`;
  readonly valueCoding: PartialCoding;
}

/** A concept with at least one coding in the code systems of the HTTP interface, and any number in others. */
export interface CodedConcept<AnyCoding> extends CodeableConcept<AnyCoding> {
  /** Codings in other code systems. */
  readonly extension?: readonly FurtherCodingExtension[] | undefined;
}

/** A concept with codings in the code systems of the HTTP interface, or without them with a text. */
export interface CodedOrTextConcept<AnyCoding> extends Omit<CodedConcept<AnyCoding>, 'coding'> {
  /** The codes of the concept; absent if there are none in the code systems of the HTTP interface. */
  readonly coding?: readonly AnyCoding[] | undefined;
}

/** A `CodedOrTextConcept` as a command gives it. */
export interface CommandConceptOrText<AnyCoding> extends Omit<CommandConcept<AnyCoding>, 'coding'> {
  /** The codes of the concept. Without them, it has a text. */
  readonly coding?: readonly AnyCoding[] | undefined;
}

/** A `CodedConcept` as a command gives it and as it is stored. */
export interface CommandConcept<AnyCoding> extends CodeableConcept<AnyCoding> {
  /** Codings in other code systems. */
  readonly furtherCodings?: readonly PartialCoding[] | undefined;
}

export const furtherCodingUrl = (extensionBase: string): `${string}/further-coding` =>
  `${extensionBase}/further-coding`;

const conceptElements = (extensionBase: string) => ({
  extension: list(
    named<FurtherCodingExtension>(
      element({ url: z.literal(furtherCodingUrl(extensionBase)), valueCoding: anyCoding }, []),
    ),
  ).optional(),
  text: text.optional(),
});

/** The schema of a `CodedConcept` in a request or a response. */
export const codedConcept = <C>(
  extensionBase: string,
  codingSchema: z.ZodType<C>,
): z.ZodType<CodedConcept<C>> =>
  element({ ...conceptElements(extensionBase), coding: list(codingSchema).min(1) }, ['_text']);

/** The schema of a `CodedOrTextConcept` in a response. */
export const codedOrTextConcept = <C>(
  extensionBase: string,
  codingSchema: z.ZodType<C>,
): z.ZodType<CodedOrTextConcept<C>> =>
  element({ ...conceptElements(extensionBase), coding: list(codingSchema).min(1).optional() }, ['_text']);

/** The schema of a `CommandConcept`. */
export const commandConcept = <C>(codingSchema: z.ZodType<C>): z.ZodType<CommandConcept<C>> =>
  z.strictObject({
    coding: z.array(codingSchema).min(1),
    text: text.optional(),
    furtherCodings: z.array(anyCoding).optional(),
  });

/** The schema of a `CommandConceptOrText`. */
export const commandConceptOrText = <C>(codingSchema: z.ZodType<C>): z.ZodType<CommandConceptOrText<C>> =>
  z
    .strictObject({
      coding: z.array(codingSchema).min(1).optional(),
      text: text.optional(),
      furtherCodings: z.array(anyCoding).optional(),
    })
    .refine(({ coding: codings, text: words }) => codings !== undefined || words !== undefined, {
      path: ['coding'],
      params: { rule: 'required' satisfies BodyRule },
      ...runDespiteIssues,
    });

/** A concept that was sent, as a command has it. */
export const toCommandConcept = <C>(sent: CodedConcept<C>): CommandConcept<C> => {
  const { extension, ...concept } = sent;
  if (extension === undefined || extension.length === 0) return concept;
  return { ...concept, furtherCodings: extension.map(({ valueCoding }) => valueCoding) };
};

/** A concept of a command as a resource shows it. */
export const toCodedConcept = <Concept extends Pick<CommandConcept<unknown>, 'furtherCodings'>>(
  extensionBase: string,
  stored: Concept,
): Omit<Concept, 'furtherCodings'> & Pick<CodedConcept<unknown>, 'extension'> => {
  // A damaged state may have no concept, and is reported by `verify`.
  if (stored?.furtherCodings === undefined) return stored;
  const { furtherCodings, ...concept } = stored;
  if (furtherCodings.length === 0) return concept;
  const url = furtherCodingUrl(extensionBase);
  return { extension: furtherCodings.map((valueCoding) => ({ url, valueCoding })), ...concept };
};

/** A concept that was read, with its further codings among the others, as other systems send it. */
export const withFurtherCodings = <C>(concept: CodedOrTextConcept<C>) => ({
  ...concept,
  coding: [...(concept.coding ?? []), ...(concept.extension ?? []).map(({ valueCoding }) => valueCoding)],
});
