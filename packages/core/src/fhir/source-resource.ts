import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { z } from 'zod';
import type { ClinicalError, Issue } from '../errors.ts';
import { date, dateTime, parseInterval } from './date-time.ts';
import { normalizeCode, text } from './element.ts';
import { id } from './id.ts';
import { type BodyRule, leftOutIssue } from './issues.ts';
import { createUnlimitedParser } from './parse-body.ts';
import { parseReference } from './reference.ts';
import type { TimeZone } from './time-zone.ts';

/** The imported value of a source resource, and the issues for the parts that cannot be imported. */
export type SourceReading<A> = { readonly value: A; readonly issues: readonly Issue[] };

/** The target of a reference: its id, the element that refers to it, and the name that the other system shows for it. */
type ReferencedId = { readonly id: string; readonly element: string; readonly display: string | undefined };

/**
 * Facts about a source resource that are not stored: whether it was entered in error, and the practitioners it refers
 * to.
 */
export type SourceDetails = {
  readonly isInError: boolean;
  readonly practitioners: readonly ReferencedId[];
};

/** A resource as it was sent, without further checks. */
export type SentResource = Readonly<Record<string, unknown>>;

/** Reads a source resource: returns its issues, or what is imported of it. */
export type SourceReader<A> = (resource: unknown) => E.Either<ClinicalError, SourceReading<A>>;

/**
 * Creates a reader from the schema of the elements that are looked at, and a function that reads a valid resource. The function
 * also gets the resource as it was sent.
 */
export const createSourceReader = <Resource, A>(
  schema: z.ZodType<Resource>,
  type: string,
  convert: (resource: Resource, sent: SentResource) => SourceReading<A>,
): SourceReader<A> => {
  const parse = createUnlimitedParser(schema, type);
  return (sent) =>
    pipe(
      parse(sent, 'lenient'),
      E.map((resource) => convert(resource, sent as SentResource)),
    );
};

const coding = z.object({
  system: text.optional(),
  version: text.optional().catch(undefined),
  code: text.transform(normalizeCode).optional(),
  display: text.optional(),
  userSelected: z.boolean().optional().catch(undefined),
});

/** An invalid extension is read as one without content, so that the rest of the resource is still imported. */
const extension = z
  .object({
    url: z.string(),
    valueBoolean: z.boolean().optional().catch(undefined),
    valueId: z.string().optional().catch(undefined),
    valueCoding: coding.optional().catch(undefined),
  })
  .catch({ url: '' });

/** Elements in the form in which other systems write them. Elements that are not named here are ignored. */
export const sourceElements = {
  id,
  text,
  date,
  dateTime,
  coding,
  /** A reference whose `display` cannot be read is read without it. */
  reference: z.object({ reference: z.string().optional(), display: text.optional().catch(undefined) }),
  /** A single extension that is not in an array is not lost. */
  extensions: z.preprocess((sent) => [sent ?? []].flat(), z.array(extension)).optional(),
  period: z.object({ start: dateTime.optional(), end: dateTime.optional() }),
};

export const sourceConcept = z.object({
  extension: sourceElements.extensions,
  coding: z.array(sourceElements.coding).optional(),
  text: text.optional(),
});

export type SourceConcept = z.infer<typeof sourceConcept>;

/**
 * Returns the first meaning that any coding has. Reports the other meanings as left out, and each concept without a coding
 * that has a meaning. A concept that repeats a meaning, such as in the codes of several systems, is not reported.
 */
export const readFirstMeaning = <A>(
  concepts: readonly SourceConcept[],
  element: string,
  meaningOf: (coding: z.infer<typeof sourceElements.coding>) => A | undefined,
): SourceReading<A | undefined> => {
  const meanings = concepts.map(({ coding = [] }) => coding.map(meaningOf));
  const first = meanings.flat().find((meaning) => meaning !== undefined);
  const issues = meanings.flatMap((ofConcept, at) =>
    ofConcept.every((meaning) => meaning === undefined)
      ? [leftOutIssue(`${element}[${at}]`)]
      : ofConcept.flatMap((meaning, nth) =>
          meaning === undefined || meaning === first
            ? []
            : [leftOutIssue(`${element}[${at}].coding[${nth}]`)],
        ),
  );
  return { value: first, issues };
};

type SourceReference = { readonly reference?: string | undefined; readonly display?: string | undefined };

/** A reference without the version at its end. */
export const withoutVersion = ({ reference = '' }: SourceReference): string =>
  reference.replace(/\/_history\/[^/]+$/, '');

/** The id in a reference to the type; undefined if there is no reference, or it refers to another type. */
export const readSourceId = (type: string, sent: SourceReference | undefined): string | undefined => {
  const target = parseReference(withoutVersion(sent ?? {}));
  return target?.type === type ? target.id : undefined;
};

/** The id that an element refers to, if it refers to the type. A reference to another type is reported as left out. */
export const readReferencedId = (
  element: string,
  type: string,
  sent: SourceReference | undefined,
): SourceReading<readonly ReferencedId[]> => {
  const id = readSourceId(type, sent);
  if (id !== undefined) return { value: [{ id, element, display: sent?.display }], issues: [] };
  return { value: [], issues: sent === undefined ? [] : [leftOutIssue(element)] };
};

/** The schema of a reference that must be to the type. It returns the id. */
export const createSourceIdSchema = (type: string) =>
  z.object({ reference: z.string() }).transform((sent, context) => {
    const id = readSourceId(type, sent);
    if (id === undefined)
      context.addIssue({ code: 'custom', params: { rule: 'reference' satisfies BodyRule } });
    return id ?? z.NEVER;
  });

/** Whether now is before, in or after a period. A missing end of the period means that it is open. */
export const locateNowInPeriod =
  ({ now, zone }: { readonly now: number; readonly zone: TimeZone }) =>
  ({ start, end }: z.infer<typeof sourceElements.period> = {}): 'before' | 'within' | 'after' => {
    const [from, until] = [parseInterval(start ?? '', zone)?.from, parseInterval(end ?? '', zone)?.until];
    if (until !== undefined && until <= now) return 'after';
    return from !== undefined && from > now ? 'before' : 'within';
  };
