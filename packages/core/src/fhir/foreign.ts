import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { z } from 'zod';
import type { ClinicalError, Fault } from '../errors.ts';
import { parseOfAnySize } from './body.ts';
import { date, dateTime, intervalOf } from './date-time.ts';
import { asCode, text } from './element.ts';
import { leftOut } from './faults.ts';
import { id, parseReference } from './reference.ts';
import type { TimeZone } from './time-zone.ts';

/** What a resource of another system comes to, and what of it cannot be kept. */
export type Foreign<A> = { readonly read: A; readonly faults: readonly Fault[] };

/** Whom or what an element refers to. */
type Referred = { readonly id: string; readonly element: string };

/** What is said of a record besides what is kept of it: whether it was entered in error, and the practitioners it refers to. */
export type SaidBesides = {
  readonly isInError: boolean;
  readonly practitioners: readonly Referred[];
};

/** Reads a resource of another system: what is wrong with it, or what it comes to. */
export type ForeignReading<A> = (resource: unknown) => E.Either<ClinicalError, Foreign<A>>;

/** Reads a resource by the schema of what is looked at, and by what a resource that fits comes to. */
export const foreignReading = <Resource, A>(
  schema: z.ZodType<Resource>,
  type: string,
  comesTo: (resource: Resource) => Foreign<A>,
): ForeignReading<A> => {
  const parse = parseOfAnySize(schema, type);
  return (resource) => pipe(parse(resource, 'lenient'), E.map(comesTo));
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
export const foreign = {
  id,
  text,
  date,
  dateTime,
  coding: z.object({
    system: text.optional(),
    code: text.transform(asCode).optional(),
    display: text.optional(),
  }),
  reference: z.object({ reference: z.string().optional() }),
  /** One that stands alone, in no list, is not lost. */
  extensions: z.preprocess((sent) => [sent ?? []].flat(), z.array(extension)).optional(),
  period: z.object({ start: dateTime.optional(), end: dateTime.optional() }),
};

export const foreignConcept = z.object({ coding: z.array(foreign.coding).optional(), text: text.optional() });

export type ForeignConcept = z.infer<typeof foreignConcept>;

/**
 * What the first coding that has a meaning here means. Each other meaning is left out, and so is each concept of which no
 * coding has any; to say the same twice, as in the codes of several systems, loses nothing.
 */
export const firstMeaning = <A>(
  concepts: readonly ForeignConcept[],
  element: string,
  meaningOf: (coding: z.infer<typeof foreign.coding>) => A | undefined,
): Foreign<A | undefined> => {
  const meanings = concepts.map(({ coding = [] }) => coding.map(meaningOf));
  const first = meanings.flat().find((meaning) => meaning !== undefined);
  const faults = meanings.flatMap((ofConcept, at) =>
    ofConcept.every((meaning) => meaning === undefined)
      ? [leftOut(`${element}[${at}]`)]
      : ofConcept.flatMap((meaning, nth) =>
          meaning === undefined || meaning === first ? [] : [leftOut(`${element}[${at}].coding[${nth}]`)],
        ),
  );
  return { read: first, faults };
};

type ForeignReference = z.infer<typeof foreign.reference>;

/** A reference without the version that it may name. */
export const unversioned = ({ reference = '' }: ForeignReference): string =>
  reference.replace(/\/_history\/[^/]+$/, '');

/** The id in a reference to a type; undefined where it refers to something else, or to nothing. */
export const foreignId = (type: string, sent: ForeignReference | undefined): string | undefined => {
  const target = parseReference(unversioned(sent ?? {}));
  return target?.type === type ? target.id : undefined;
};

/** What an element refers to, if that is of the type: one at most. A reference to something else is left out. */
export const referredIn = (
  element: string,
  type: string,
  sent: ForeignReference | undefined,
): Foreign<readonly Referred[]> => {
  const id = foreignId(type, sent);
  if (id !== undefined) return { read: [{ id, element }], faults: [] };
  return { read: [], faults: sent === undefined ? [] : [leftOut(element)] };
};

/** A reference that has to be to one type, read as the id in it. */
export const foreignIdOf = (type: string) =>
  z.object({ reference: z.string() }).transform((sent, context) => {
    const id = foreignId(type, sent);
    if (id === undefined) context.addIssue({ code: 'custom' });
    return id ?? z.NEVER;
  });

/** Where now lies, as seen from a period: a time of which nothing is said is without end. */
export const nowInPeriod =
  ({ now, zone }: { readonly now: number; readonly zone: TimeZone }) =>
  ({ start, end }: z.infer<typeof foreign.period> = {}): 'before' | 'within' | 'after' => {
    const [from, until] = [intervalOf(start ?? '', zone)?.from, intervalOf(end ?? '', zone)?.until];
    if (until !== undefined && until <= now) return 'after';
    return from !== undefined && from > now ? 'before' : 'within';
  };
