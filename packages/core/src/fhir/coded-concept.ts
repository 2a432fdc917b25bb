import { z } from 'zod';
import { anyCoding, type CodeableConcept, type PartialCoding } from './coding.ts';
import { element, list, text } from './element.ts';
import { named } from './schema-output.ts';
import type { SourceConcept } from './source-resource.ts';

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

/** A `CodedConcept` as a command gives it and as it is stored. */
export interface CommandConcept<AnyCoding> extends CodeableConcept<AnyCoding> {
  /** Codings in other code systems. */
  readonly furtherCodings?: readonly PartialCoding[] | undefined;
}

const furtherCodingUrl = (extensionBase: string): `${string}/further-coding` =>
  `${extensionBase}/further-coding`;

/** The schema of a `CodedConcept` in a request or a response. */
export const codedConcept = <C>(
  extensionBase: string,
  codingSchema: z.ZodType<C>,
): z.ZodType<CodedConcept<C>> =>
  element(
    {
      extension: list(
        named<FurtherCodingExtension>(
          element({ url: z.literal(furtherCodingUrl(extensionBase)), valueCoding: anyCoding }, []),
        ),
      ).optional(),
      coding: list(codingSchema).min(1),
      text: text.optional(),
    },
    ['_text'],
  );

/** The schema of a `CommandConcept`. */
export const commandConcept = <C>(codingSchema: z.ZodType<C>): z.ZodType<CommandConcept<C>> =>
  z.strictObject({
    coding: z.array(codingSchema).min(1),
    text: text.optional(),
    furtherCodings: z.array(anyCoding).optional(),
  });

/** A concept that was sent, as a command has it. */
export const toCommandConcept = <C>(sent: CodedConcept<C>): CommandConcept<C> => {
  const { extension, ...concept } = sent;
  if (extension === undefined || extension.length === 0) return concept;
  return { ...concept, furtherCodings: extension.map(({ valueCoding }) => valueCoding) };
};

/** A concept of a command as a resource shows it. */
export const toCodedConcept = <C>(extensionBase: string, stored: CommandConcept<C>): CodedConcept<C> => {
  // A damaged state may have no concept, and is reported by `verify`.
  if (stored?.furtherCodings === undefined) return stored;
  const { furtherCodings, ...concept } = stored;
  if (furtherCodings.length === 0) return concept;
  const url = furtherCodingUrl(extensionBase);
  return { extension: furtherCodings.map((valueCoding) => ({ url, valueCoding })), ...concept };
};

/** A concept that was read, with its further codings among the others, as other systems send it. */
export const withFurtherCodings = <C>(concept: CodedConcept<C>) => ({
  ...concept,
  coding: [...concept.coding, ...(concept.extension ?? []).map(({ valueCoding }) => valueCoding)],
});

/** The concept of a source that has some codings in the code systems here. Its other codings are kept as further codings. */
export const readCodedConcept = <C>(
  extensionBase: string,
  { coding = [], extension = [], text }: SourceConcept,
  readCoding: (coding: NonNullable<SourceConcept['coding']>[number]) => C | undefined,
): CommandConcept<C> => {
  const codings = coding.map((sent) => ({ sent, known: readCoding(sent) }));
  const furtherCodings = [
    ...codings.filter(({ known }) => known === undefined).map(({ sent }) => sent),
    ...extension.flatMap(({ url, valueCoding }) =>
      url === furtherCodingUrl(extensionBase) && valueCoding !== undefined ? [valueCoding] : [],
    ),
  ].filter((one) => Object.keys(one).length > 0);
  return {
    coding: codings.flatMap(({ known }) => known ?? []),
    text,
    furtherCodings: furtherCodings.length > 0 ? furtherCodings : undefined,
  };
};
