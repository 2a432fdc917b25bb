import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as z from 'zod';
import type { ClinicalError, Issue } from '../errors.ts';
import {
  type CommonElements,
  inputCommonElements,
  joinCommonElements,
  storeCommonElements,
} from './common-elements.ts';
import { date, dateTime, parseInterval, type TimeZone } from './date-time.ts';
import { maxListed, normalizeCode, text } from './element.ts';
import { type BodyRule, type ElementEdit, editElements, leftOutIssue, type Path, valueAt } from './issues.ts';
import { createUnlimitedParser, fhirPath } from './parse-body.ts';
import { id, parseReference, referenceRule } from './reference.ts';
import { type Decimal, isObject } from './schema.ts';

/** The imported value of a source resource, and the issues for the parts that cannot be imported. */
export type SourceReading<A> = { readonly value: A; readonly issues: readonly Issue[] };

/** The target of a reference: its id, the element that refers to it, and the name that the other system shows for it. */
type ReferencedId = { readonly id: string; readonly element: string; readonly display: string | undefined };

/** The parts of a source resource that are not stored: the practitioners to whom it refers. */
export type SourceDetails = { readonly practitioners: readonly ReferencedId[] };

/** A resource as it was sent, without further checks. */
export type SentResource = Readonly<Record<string, unknown>>;

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

const keyOf = (path: Path): string => path.join('/');

/** The path of the entry of a list that a path leads into; null if it leads into none. */
const entryPathOf = (path: Path): Path | null => {
  const index = path.findIndex((step) => typeof step === 'number');
  return index === -1 ? null : path.slice(0, index + 1);
};

/** A resource without the entries of its lists that are not valid, such as a null; null if that does not make it valid. */
const omitBrokenEntries = (schema: z.ZodType, sent: unknown): SentResource | null => {
  const entries = new Map<string, Path>();
  for (const { path } of schema.safeParse(sent).error?.issues ?? []) {
    const entry = entryPathOf(path);
    if (entry === null) return null;
    entries.set(keyOf(entry), entry);
  }
  const rest = editElements(
    sent,
    Array.from(entries.values(), (path) => ({ path })),
  );
  return schema.safeParse(rest).success ? (rest as SentResource) : null;
};

/**
 * Creates a reader from the schema of the elements that are looked at, and a function that reads a valid resource. The function
 * also gets the resource as it was sent. An entry of a list that is not valid is left out, and reported.
 */
export const createSourceReader = <Resource, A>(
  schema: z.ZodType<Resource>,
  type: string,
  convert: (resource: Resource, sent: SentResource) => SourceReading<A>,
): SourceReader<A> => {
  const parse = createUnlimitedParser(schema, type);
  const read: SourceReader<A> = (sent) => {
    const parsed = parse(sent, 'lenient');
    return E.isLeft(parsed) ? parsed : E.right(convert(parsed.right, sent as SentResource));
  };
  return (sent) => {
    const whole = read(sent);
    if (E.isRight(whole)) return whole;
    const rest = omitBrokenEntries(schema, sent);
    if (rest === null) return whole;
    const leftOut = whole.left.issues.map((issue) => ({
      ...issue,
      message: `${issue.message} The entry of the list was not imported.`,
    }));
    return pipe(
      read(rest),
      E.map(({ value, issues }) => ({ value, issues: [...leftOut, ...issues] })),
    );
  };
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

/** Whether now is before, in or after a period. A missing end of the period means that it is open. */
export const locateNowInPeriod =
  ({ now, zone }: { readonly now: number; readonly zone: TimeZone }) =>
  ({ start, end }: z.infer<typeof sourceElements.period> = {}): 'before' | 'within' | 'after' => {
    const [from, until] = [parseInterval(start ?? '', zone)?.from, parseInterval(end ?? '', zone)?.until];
    if (until !== undefined && until <= now) return 'after';
    return from !== undefined && from > now ? 'before' : 'within';
  };

/** A change that an element needs to be valid, and whether it is an issue. */
type ElementCorrection = ElementEdit & { readonly isIssue: boolean };

/**
 * Corrects what an issue is about. Spare white space is removed from a code, and `.0` from a whole number. Any other part is left out,
 * and of something required that is missing, what requires it. Names that are not stored are left out silently.
 */
const correct = (issue: z.core.$ZodIssue, element: unknown): readonly ElementCorrection[] => {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((name) => ({ path: [...issue.path, name], isIssue: false }));
  const { path } = issue;
  const value = valueAt(element, path);
  const rule: unknown = issue.code === 'custom' && issue.params?.rule;
  if (rule === ('code-form' satisfies BodyRule))
    return [{ path, value: normalizeCode(String(value)), isIssue: false }];
  if (rule === ('integer-form' satisfies BodyRule) && /^-?\d+\.0+$/.test((value as Decimal).decimal))
    return [{ path, value: Number(value), isIssue: false }];
  return [{ path: value === undefined ? path.slice(0, -1) : path, isIssue: true }];
};

/** The corrections that are in no other one, each once. */
const outermost = (corrections: readonly ElementCorrection[]): readonly ElementCorrection[] => {
  const byPath = new Map(corrections.map((correction) => [keyOf(correction.path), correction]));
  return [...byPath.values()].filter(
    ({ path }) => !path.some((_, length) => byPath.has(keyOf(path.slice(0, length)))),
  );
};

/** The valid rest of an element, or undefined if there is none, and the paths of the parts that are left out. */
const readValidPart = (
  schema: z.ZodType,
  sent: unknown,
): { readonly value: unknown; readonly leftOut: readonly Path[] } => {
  let value = sent;
  let corrections: readonly ElementCorrection[] = [];
  for (;;) {
    const parsed = schema.safeParse(value);
    if (parsed.success) {
      const issues = corrections.filter(({ isIssue }) => isIssue);
      return { value: parsed.data, leftOut: issues.map(({ path }) => path) };
    }
    const edits = outermost(parsed.error.issues.flatMap((issue) => correct(issue, value)));
    if (edits.some(({ path }) => path.length === 0)) return { value: undefined, leftOut: [[]] };
    corrections = outermost([...corrections, ...edits]);
    value = editElements(value, edits);
  }
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
      const { value, leftOut } = readValidPart(schema, sent);
      for (const path of leftOut) issues.push(leftOutIssue(fhirPath(element, path)));
      return value;
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

/** Creates a reader of the elements that resources of every type have, from a resource of another system. */
export const createCommonReader = (type: string) => {
  const read = createElementReader<Parameters<typeof storeCommonElements>[0]>(type, inputCommonElements);
  return (resource: SentResource): SourceReading<CommonElements | undefined> => {
    if (resource.meta === undefined && resource.identifier === undefined) {
      return { value: undefined, issues: [] };
    }
    const { value, issues } = read(resource);
    return { value: storeCommonElements(value), issues };
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
  const names = Object.keys(joined) as (keyof typeof commonLists)[];
  return {
    value: Object.fromEntries(names.map((name) => [name, joined[name]?.slice(0, maxListed)])),
    issues: names
      .filter((name) => (joined[name]?.length ?? 0) > maxListed)
      .map((name) => leftOutIssue(`${type}.${commonLists[name]}`)),
  };
};
