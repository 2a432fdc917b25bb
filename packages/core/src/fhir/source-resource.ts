import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { z } from 'zod';
import type { ClinicalError, Issue } from '../errors.ts';
import { date, dateTime, parseInterval } from './date-time.ts';
import { normalizeCode, text } from './element.ts';
import { leftOutIssue } from './issues.ts';
import { createUnlimitedParser } from './parse-body.ts';
import { id, parseReference } from './reference.ts';
import type { TimeZone } from './time-zone.ts';

/** What a resource of another system comes to, and what of it cannot be kept. */
export type SourceReading<A> = { readonly value: A; readonly issues: readonly Issue[] };

/** The target of a reference: its id, the element that refers to it, and the name that the other system shows for it. */
type ReferencedId = { readonly id: string; readonly element: string; readonly display: string | undefined };

/** What is said of a record besides what is kept of it: whether it was entered in error, and the practitioners it refers to. */
export type SourceDetails = {
  readonly isInError: boolean;
  readonly practitioners: readonly ReferencedId[];
};

/** Reads a resource of another system: what is wrong with it, or what it comes to. */
export type SourceReader<A> = (resource: unknown) => E.Either<ClinicalError, SourceReading<A>>;

/** Reads a resource by the schema of what is looked at, and by what a resource that fits comes to. */
export const createSourceReader = <Resource, A>(
  schema: z.ZodType<Resource>,
  type: string,
  convert: (resource: Resource) => SourceReading<A>,
): SourceReader<A> => {
  const parse = createUnlimitedParser(schema, type);
  return (resource) => pipe(parse(resource, 'lenient'), E.map(convert));
};

/** One that is no extension says nothing, and costs nobody the rest. */
const extension = z
  .object({
    url: z.string(),
    valueBoolean: z.boolean().optional().catch(undefined),
    valueId: z.string().optional().catch(undefined),
  })
  .catch({ url: '' });

/** Elements as other systems write them: what is not named here is passed over. */
export const sourceElements = {
  id,
  text,
  date,
  dateTime,
  coding: z.object({
    system: text.optional(),
    code: text.transform(normalizeCode).optional(),
    display: text.optional(),
  }),
  /** One whose `display` cannot be read is taken without it. */
  reference: z.object({ reference: z.string().optional(), display: text.optional().catch(undefined) }),
  /** One that stands alone, in no list, is not lost. */
  extensions: z.preprocess((sent) => [sent ?? []].flat(), z.array(extension)).optional(),
  period: z.object({ start: dateTime.optional(), end: dateTime.optional() }),
};

export const sourceConcept = z.object({
  coding: z.array(sourceElements.coding).optional(),
  text: text.optional(),
});

export type SourceConcept = z.infer<typeof sourceConcept>;

/**
 * What the first coding that has a meaning here means. Each other meaning is left out, and so is each concept of which no
 * coding has any; to say the same twice, as in the codes of several systems, loses nothing.
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

/** A reference without the version that it may name. */
export const withoutVersion = ({ reference = '' }: SourceReference): string =>
  reference.replace(/\/_history\/[^/]+$/, '');

/** The id in a reference to a type; undefined where it refers to something else, or to nothing. */
export const readSourceId = (type: string, sent: SourceReference | undefined): string | undefined => {
  const target = parseReference(withoutVersion(sent ?? {}));
  return target?.type === type ? target.id : undefined;
};

/** What an element refers to, if that is of the type: one at most. A reference to something else is left out. */
export const readReferencedId = (
  element: string,
  type: string,
  sent: SourceReference | undefined,
): SourceReading<readonly ReferencedId[]> => {
  const id = readSourceId(type, sent);
  if (id !== undefined) return { value: [{ id, element, display: sent?.display }], issues: [] };
  return { value: [], issues: sent === undefined ? [] : [leftOutIssue(element)] };
};

/** A reference that has to be to one type, read as the id in it. */
export const createSourceIdSchema = (type: string) =>
  z.object({ reference: z.string() }).transform((sent, context) => {
    const id = readSourceId(type, sent);
    if (id === undefined) context.addIssue({ code: 'custom' });
    return id ?? z.NEVER;
  });

/** Where now lies, as seen from a period: a time of which nothing is said is without end. */
export const locateNowInPeriod =
  ({ now, zone }: { readonly now: number; readonly zone: TimeZone }) =>
  ({ start, end }: z.infer<typeof sourceElements.period> = {}): 'before' | 'within' | 'after' => {
    const [from, until] = [parseInterval(start ?? '', zone)?.from, parseInterval(end ?? '', zone)?.until];
    if (until !== undefined && until <= now) return 'after';
    return from !== undefined && from > now ? 'before' : 'within';
  };
