import * as E from 'fp-ts/lib/Either.js';
import * as z from 'zod';
import type { ClinicalError, Issue } from '../errors.ts';
import { type CommandConcept, furtherCodingUrl } from './coding.ts';
import {
  type CommonElements,
  carryFields,
  inputCommonElements,
  joinCommonElements,
  type StoredFields,
  storeCommonElements,
} from './common-elements.ts';
import { date, dateTime, parseInterval, type TimeZone, utc } from './date-time.ts';
import { essential, maxListed, normalizeCode, text } from './element.ts';
import { leftOutIssue } from './issues.ts';
import { createUnlimitedParser } from './parse-body.ts';
import { id, parseReference, referenceRule } from './reference.ts';
import { isObject, type JsonObject } from './schema.ts';
import { createIndexRestorer, leftOutIssues, readValidPart } from './valid-part.ts';

/** The imported value of a source resource, and the issues for the parts that cannot be imported. */
export type SourceReading<A> = { readonly value: A; readonly issues: readonly Issue[] };

/** The target of a reference: its id, the element that refers to it, and the name that the other system shows for it. */
type ReferencedId = { readonly id: string; readonly element: string; readonly display: string | undefined };

/** The parts of a source resource that are not stored: the practitioners to whom it refers. */
export type SourceDetails = { readonly practitioners: readonly ReferencedId[] };

/** A resource as it was sent, without further checks. */
export type SentResource = JsonObject;

/** An identifier with a system and a value, and its index among the identifiers of its resource. */
export type BusinessIdentifier = { readonly system: string; readonly code: string; readonly index: number };

const isNonEmptyText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The identifiers by which a resource can be known again. One without a system could be that of anybody. */
export const businessIdentifiers = ({ identifier }: SentResource): readonly BusinessIdentifier[] =>
  Array.isArray(identifier)
    ? identifier.flatMap((sent: unknown, index) =>
        isObject(sent) && isNonEmptyText(sent.system) && isNonEmptyText(sent.value)
          ? [{ system: sent.system, code: sent.value, index }]
          : [],
      )
    : [];

/** Reads a source resource: returns its issues, or what is imported of it. */
export type SourceReader<A> = (resource: unknown) => E.Either<ClinicalError, SourceReading<A>>;

/** Leaves out the issues of elements within another one that is left out as a whole. */
const withoutInner = (issues: readonly Issue[]): readonly Issue[] => {
  const places = issues.map(({ expression = '' }) => expression);
  return issues.filter(
    ({ expression = '' }) =>
      !places.some((place) => expression.startsWith(`${place}.`) || expression.startsWith(`${place}[`)),
  );
};

/**
 * Creates a reader from the schema of the elements that are looked at, and a function that reads a valid resource. The function
 * also gets the resource as it was sent. The smallest parts that are not valid are left out, and reported. A resource is refused
 * that says something else without them, or that `isOtherVersion` knows as one of another version of FHIR.
 */
export const createSourceReader = <Resource, A>(
  schema: z.ZodType<Resource>,
  type: string,
  convert: (resource: Resource, sent: SentResource) => SourceReading<A>,
  { isOtherVersion = () => false }: { readonly isOtherVersion?: (sent: JsonObject) => boolean } = {},
): SourceReader<A> => {
  const parse = createUnlimitedParser(schema, type);
  return (sent) => {
    const parsed = parse(sent, 'lenient');
    if (E.isRight(parsed)) return E.right(convert(parsed.right, sent as SentResource));
    const valid = readValidPart(schema, sent);
    if (valid.rest === undefined || isOtherVersion(sent as SentResource)) return parsed;
    const { value, issues } = convert(valid.value as Resource, valid.rest as SentResource);
    const restore = createIndexRestorer(type, sent, valid);
    const ofRest = issues.map((issue) =>
      issue.expression === undefined ? issue : { ...issue, expression: restore(issue.expression) },
    );
    return E.right({ value, issues: withoutInner([...leftOutIssues(type, valid), ...ofRest]) });
  };
};

const coding = z.object({
  system: essential(text.optional()),
  version: text.optional(),
  code: text.transform(normalizeCode).optional(),
  display: text.optional(),
  userSelected: z.boolean().optional(),
});

/** An invalid extension is read as one without content, so that the rest of the resource is still imported. */
const extension = z
  .object({
    url: z.string(),
    valueBoolean: z.boolean().optional().catch(undefined),
    valueCode: z.string().optional().catch(undefined),
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
  reference: z.object({ reference: z.string().optional(), display: text.optional() }),
  /** A single extension that is not in an array is not lost. */
  extensions: z.preprocess((sent) => [sent ?? []].flat(), z.array(extension)).optional(),
  period: z.object({ start: essential(dateTime.optional()), end: essential(dateTime.optional()) }),
};

export const sourceConcept = z.object({
  extension: sourceElements.extensions,
  coding: z.array(sourceElements.coding).optional(),
  text: text.optional(),
});

export type SourceConcept = z.infer<typeof sourceConcept>;

/** The concept of a source that has some codings in the code systems here. Its other codings are kept as further codings. */
export const readCodedConcept = <C>(
  extensionBase: string,
  { coding = [], extension = [], text }: SourceConcept,
  readCoding: (coding: NonNullable<SourceConcept['coding']>[number]) => C | undefined,
): CommandConcept<C> => {
  const codings = coding.map((sent) => ({ sent, coded: readCoding(sent) }));
  const furtherCodings = [
    ...codings.filter(({ coded }) => coded === undefined).map(({ sent }) => sent),
    ...extension.flatMap(({ url, valueCoding }) =>
      url === furtherCodingUrl(extensionBase) && valueCoding !== undefined ? [valueCoding] : [],
    ),
  ].filter((furtherCoding) => Object.keys(furtherCoding).length > 0);
  return {
    coding: codings.flatMap(({ coded }) => coded ?? []),
    text,
    furtherCodings: furtherCodings.length > 0 ? furtherCodings : undefined,
  };
};

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
  const issues = meanings.flatMap((ofConcept, index) =>
    ofConcept.every((meaning) => meaning === undefined)
      ? [leftOutIssue(`${element}[${index}]`)]
      : ofConcept.flatMap((meaning, nth) =>
          meaning === undefined || meaning === first
            ? []
            : [leftOutIssue(`${element}[${index}].coding[${nth}]`)],
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

/** A practitioner whom an element names: by the id, by the name, or by both. */
export type SourcePerson = Omit<ReferencedId, 'id'> & { readonly id?: string };

/** The practitioner whom an element names. Anybody else of whom there is not even a name is reported as left out. */
export const readPerson = (
  element: string,
  sent: SourceReference | undefined,
): SourceReading<SourcePerson | undefined> => {
  const { value, issues } = readReferencedId(element, 'Practitioner', sent);
  const [known] = value;
  if (known !== undefined || sent?.display === undefined) return { value: known, issues };
  return { value: { element, display: sent.display }, issues: [] };
};

/** The practitioners who are named by their ids. */
export const practitionersIn = (people: readonly (SourcePerson | undefined)[]): readonly ReferencedId[] =>
  people.flatMap((person) => (person?.id === undefined ? [] : [{ ...person, id: person.id }]));

/** The schema of a reference that must be to the type. It returns the id. */
export const createSourceIdSchema = (type: string) =>
  z.object({ reference: z.string() }).transform((sent, context) => {
    const id = readSourceId(type, sent);
    if (id === undefined) context.addIssue({ code: 'custom', params: referenceRule([type]) });
    return id ?? z.NEVER;
  });

/** Where the present is: before, in or after a period. */
export type PartOfPeriod = 'before' | 'within' | 'after';

/** When the source last changed a resource, if it says so. A time in the future does not count: no later change would come after it. */
export const readLastUpdated = ({ meta }: JsonObject, now: number): { readonly lastUpdated?: string } => {
  const lastUpdated = isObject(meta) ? meta.lastUpdated : undefined;
  const interval = typeof lastUpdated === 'string' ? parseInterval(lastUpdated, utc) : null;
  return typeof lastUpdated === 'string' && interval !== null && interval.from <= now ? { lastUpdated } : {};
};

/** Whether now is before, in or after a period. A missing end of the period means that it is open. */
export const locateNowInPeriod =
  ({ now, zone }: { readonly now: number; readonly zone: TimeZone }) =>
  ({ start, end }: z.infer<typeof sourceElements.period> = {}): PartOfPeriod => {
    const [from, until] = [parseInterval(start ?? '', zone)?.from, parseInterval(end ?? '', zone)?.until];
    if (until !== undefined && until <= now) return 'after';
    return from !== undefined && from > now ? 'before' : 'within';
  };

/** The schema of an element, and that of each of its values if it is an array. */
const unwrap = (schema: unknown) => {
  const whole = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return {
    whole: whole as z.ZodType,
    each: whole instanceof z.ZodArray ? (whole.element as z.ZodType) : null,
  };
};

/**
 * Creates a reader of a group of optional elements of another system. It keeps what is valid of each element, and reports the
 * smallest parts that are not. Of an element that is an array, each value is read by itself.
 */
export const createElementReader = <Elements extends object>(type: string, group: z.ZodRawShape) => {
  const schemas = Object.entries(group).map(([name, schema]) => ({ name, ...unwrap(schema) }));
  return (resource: SentResource): SourceReading<Elements> => {
    const elements: Record<string, unknown> = {};
    const issues: Issue[] = [];
    const read = (schema: z.ZodType, sent: unknown, element: string): unknown => {
      const valid = readValidPart(schema, sent);
      for (const issue of leftOutIssues(element, valid)) issues.push(issue);
      return valid.value;
    };
    for (const { name, whole, each } of schemas) {
      const sent = resource[name];
      if (sent === undefined) continue;
      const element = `${type}.${name}`;
      elements[name] =
        each !== null && Array.isArray(sent)
          ? sent.flatMap((item, index) => read(each, item, `${element}[${index}]`) ?? [])
          : read(whole, sent, element);
    }
    return { value: elements as Elements, issues };
  };
};

/** The parts of a resource: those of its type, and those that resources of every type have. */
export type WholeReading<Read> = { readonly sent: Read; readonly common: CommonElements | undefined };

/** Reads the extensions of the host from a resource of another system. */
export type FieldReader = (resource: SentResource) => SourceReading<StoredFields | undefined>;

/** Creates a reader of the elements that resources of every type have, from a resource of another system. */
export const createCommonReader = (type: string, readFields?: FieldReader) => {
  const read = createElementReader<Parameters<typeof storeCommonElements>[0]>(type, inputCommonElements);
  return (resource: SentResource): SourceReading<CommonElements | undefined> => {
    const fields = readFields?.(resource);
    if (resource.meta === undefined && resource.identifier === undefined && fields === undefined) {
      return { value: undefined, issues: [] };
    }
    const { value, issues } = read(resource);
    const sent = fields?.value === undefined ? value : carryFields(value, fields.value);
    return { value: storeCommonElements(sent), issues: [...issues, ...(fields?.issues ?? [])] };
  };
};

/** The places of the lists of common elements in a resource. */
const commonLists = { security: 'meta.security', tag: 'meta.tag', identifier: 'identifier' } as const;

/** The common elements of two resources that become one, as far as each list has room. The others are left out. */
export const joinSourceElements = (
  type: string,
  before: CommonElements | undefined,
  sent: CommonElements | undefined,
): SourceReading<CommonElements | undefined> => {
  const joined = joinCommonElements(before, sent);
  if (joined === undefined) return { value: undefined, issues: [] };
  const { fields, ...lists } = joined;
  const names = Object.keys(lists) as (keyof typeof commonLists)[];
  return {
    value: {
      ...Object.fromEntries(names.map((name) => [name, joined[name]?.slice(0, maxListed)])),
      ...(fields !== undefined && { fields }),
    },
    issues: names
      .filter((name) => (joined[name]?.length ?? 0) > maxListed)
      .map((name) => leftOutIssue(`${type}.${commonLists[name]}`)),
  };
};
