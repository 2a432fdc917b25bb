import * as z from 'zod';
import { dateTime } from './date-time.ts';
import { element, nonEmptyElement, oneOf, runDespiteIssues, text } from './element.ts';
import type { BodyRule } from './issues.ts';
import { isOneOf, named, type SchemaOutput } from './schema.ts';

export const idPattern = /^[A-Za-z0-9\-.]{1,64}$/;

const derivedIdPattern = /^[A-Za-z0-9\-.]{1,99}$/;

/** Whether a value is an id of FHIR: 1 to 64 letters, digits, `-` or `.`. Source: FHIR R4, Datatypes, 2.24.0.1. */
export const isId = (value: unknown): value is string => typeof value === 'string' && idPattern.test(value);

/**
 * Whether a value can be the id of a resource here. The longest is that of the Provenance of a care team: a patient's id,
 * `.entered-in-error`, and 18 characters for the type and the version.
 */
export const isDerivedId = (value: unknown): value is string =>
  typeof value === 'string' && derivedIdPattern.test(value);

export const id = z
  .string()
  .refine(isId, { params: { rule: 'id' satisfies BodyRule }, abort: true })
  .meta({ pattern: idPattern.source, examples: ['7'] });

const referencePattern = new RegExp(`^[A-Z][A-Za-z]*/${idPattern.source.slice(1)}`);

/** A reference to a practitioner, such as `Practitioner/12`. */
export type PractitionerReference = `Practitioner/${string}`;

/** A reference to the author of a change, such as `Practitioner/12` or `Device/lab`. Only the chart looks its authors up. */
export type AuthorReference = `${string}/${string}`;

/** The software that acts for a user, such as an assistant with a language model. */
export type Agent = {
  /** The reference to it, such as `Device/assistant`. */
  readonly reference: AuthorReference;
  /** Its name for people: 200 characters at most. */
  readonly display?: string | undefined;
};

/** A reference in a response. It always has the type of the resource that it refers to. */
export interface Reference<Type extends string = string> {
  /** The type and the id of the resource, such as `Patient/7`. */
  readonly reference: `${Type}/${string}`;
  /** The type of the resource, such as `Patient`. */
  readonly type: Type;
}

/** A reference that shows the current name. */
export interface NamedReference<Type extends string = string> extends Reference<Type> {
  /** The name in the directory. */
  readonly display: string;
}

/** A reference that shows a name as it was signed. Of an import, it can have only a name. */
export interface SignedReference<Type extends string = string> extends Partial<Reference<Type>> {
  /** The name at the time of signing; absent where it is not known. */
  readonly display?: string;
}

/** A reference in a request. */
export interface ReferenceInput<Type extends string = string> {
  /** The type and the id of the resource, such as `Patient/7`. */
  readonly reference: `${Type}/${string}`;
  /** The type of the resource, which must be that of the `reference`. */
  readonly type?: Type | undefined;
  /** Has no effect. */
  readonly display?: string | undefined;
}

/** A reference in an element that is stored as it was sent. It is not looked up. */
export interface ElementReference<Type extends string = string> {
  /** The type and the id of the resource, such as `Organization/31`. */
  readonly reference?: `${Type}/${string}` | undefined;
  /** The type of the resource, which must be that of the `reference`. */
  readonly type?: Type | undefined;
  /** The name of the resource. Without a `reference`, nothing else is known of it. */
  readonly display?: string | undefined;
}

const describeReference = (types: readonly string[]) => ({
  pattern: `^(${types.join('|')})/${idPattern.source.slice(1)}`,
  examples: [`${types[0]}/7`],
});

const outputElements = <Type extends string>(types: readonly Type[]) => ({
  reference: z.templateLiteral([z.enum(types), '/', z.string()]).meta(describeReference(types)),
  type: z.enum(types),
});

/** The schema of a reference in a response. */
export const outputReference = <Type extends string>(...types: readonly Type[]) =>
  z.object(outputElements(types)) as unknown as z.ZodType<Reference<Type>>;

/** The schema of a reference that shows the current name. */
export const outputNamedReference = <Type extends string>(...types: readonly Type[]) =>
  z.object({ ...outputElements(types), display: z.string() }) as unknown as z.ZodType<NamedReference<Type>>;

/** The schema of a reference that shows a name as it was signed. */
export const outputSignedReference = <Type extends string>(...types: readonly Type[]) =>
  z.object({
    ...z.object(outputElements(types)).partial().shape,
    display: z
      .string()
      .exactOptional()
      .describe('The name at the time of signing; absent where it is not known.'),
  }) as unknown as z.ZodType<SignedReference<Type>>;

export const createReference = <Type extends string>(type: Type, id: string): Reference<Type> => ({
  reference: `${type}/${id}`,
  type,
});

/** A reference that shows a name, as far as the id and the name are known. */
export const createSignedReference = <Type extends string>(
  type: Type,
  id: string | undefined,
  display: string | undefined,
): SignedReference<Type> => ({
  ...(id !== undefined && createReference(type, id)),
  ...(display !== undefined && { display }),
});

/** The type and id of a reference `<ResourceType>/<id>`; null for any other text. */
export const parseReference = (text: string): { type: string; id: string } | null => {
  if (!referencePattern.test(text)) return null;
  const slash = text.indexOf('/');
  return { type: text.slice(0, slash), id: text.slice(slash + 1) };
};

/** The id of a patient that a text names, as `Patient/<id>` or by the id; null if it names none. */
export const parsePatientId = (text: string): string | null => {
  if (isId(text)) return text;
  const reference = parseReference(text);
  return reference?.type === 'Patient' ? reference.id : null;
};

/** The id of a reference that has been validated. */
export const readReferenceId = (reference: { readonly reference: string }): string =>
  reference.reference.slice(reference.reference.indexOf('/') + 1);

const unstoredElements = ['identifier', '_reference', '_type', '_display'];

/** How a message names references of these types. */
export const formatReferenceTypes = (types: readonly string[]): readonly string[] =>
  types.map((type) => `${type}/<id>`);

/** The rule of an element that refers to one of the types. */
export const referenceRule = (types: readonly string[]) => ({
  rule: 'reference' satisfies BodyRule,
  allowed: formatReferenceTypes(types),
});

/** The rule of an element that refers to a resource of any type. */
export const anyReferenceRule = {
  rule: 'reference' satisfies BodyRule,
  allowed: ['any type, such as Practitioner/12'],
};

/** The elements of a reference that is sent, to one of the types. */
const inputElements = <Type extends string>(types: readonly Type[]) => ({
  reference: z
    .string()
    .refine((sent) => isOneOf(types)(parseReference(sent)?.type), {
      params: referenceRule(types),
    })
    .meta(describeReference(types)) as unknown as z.ZodType<`${Type}/${string}`>,
  type: z.enum(types).optional(),
  display: text.optional(),
});

/** Refuses a `type` that contradicts the reference. */
const requireOwnType = <Sent extends { readonly type?: unknown; readonly reference?: unknown }>(
  schema: z.ZodType<Sent>,
  isAllowed: (type: unknown) => boolean,
): z.ZodType<Sent> =>
  schema.refine(
    ({ reference, type }) => {
      const target = typeof reference === 'string' ? parseReference(reference)?.type : undefined;
      return !isAllowed(type) || !isAllowed(target) || target === type;
    },
    { path: ['type'], params: { rule: 'reference-type' satisfies BodyRule }, ...runDespiteIssues },
  );

/** A reference in a request: to one of the types, and with a `type` that does not contradict it. */
export const reference = <Type extends string>(...types: readonly Type[]): z.ZodType<ReferenceInput<Type>> =>
  requireOwnType(element(inputElements(types), unstoredElements), isOneOf(types));

/** A reference in an element that is stored as it was sent: to one of the types, or only a name. */
export const elementReference = <Type extends string>(
  ...types: readonly Type[]
): z.ZodType<ElementReference<Type>> => {
  const elements = inputElements(types);
  const optional = { ...elements, reference: elements.reference.optional() };
  return requireOwnType(nonEmptyElement(optional, unstoredElements), isOneOf(types));
};

/** A reference in an element that is stored as it was sent: to a resource of any type, or only a name. */
export const anyReference: z.ZodType<ElementReference> = requireOwnType(
  nonEmptyElement(
    {
      reference: z
        .string()
        .refine((sent) => parseReference(sent) !== null, {
          params: anyReferenceRule,
        })
        .meta({ pattern: referencePattern.source, examples: ['Observation/7'] })
        .optional() as unknown as z.ZodType<`${string}/${string}` | undefined>,
      type: text.optional(),
      display: text.optional(),
    },
    unstoredElements,
  ),
  (type) => typeof type === 'string',
);

const annotationSchema = element(
  {
    authorReference: elementReference('Practitioner', 'Patient', 'RelatedPerson', 'Organization').optional(),
    /** The name of the author, where there is no reference. */
    authorString: text.optional(),
    /** When the comment was made: a FHIR `dateTime`. */
    time: dateTime.optional(),
    /** The comment. */
    text,
  },
  ['_authorString', '_time', '_text'],
);

/** A comment. FHIR R4, Datatypes, 2.24.0.14. */
export interface Annotation extends SchemaOutput<typeof annotationSchema> {}

/** The schema of a comment. */
export const annotation = oneOf(named<Annotation>(annotationSchema), 'authorReference', 'authorString');

/** The references in a resource, at any depth and in their order. It does not recurse, however deep the resource is. */
export const referencesIn = (resource: object): readonly string[] => {
  const references: string[] = [];
  const waiting = [resource];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    for (const name of Object.keys(part).toReversed()) {
      const element: unknown = Reflect.get(part, name);
      if (typeof element === 'object' && element !== null) waiting.push(element);
      else if (name === 'reference' && typeof element === 'string') references.push(element);
    }
  }
  return references;
};

/** A value in which each reference to `from` is a reference to `to`. */
export const replaceReference = <Value>(value: Value, from: string, to: string): Value => {
  const replaceIn = (part: unknown, name: string): unknown => {
    if (name === 'reference' && part === from) return to;
    if (Array.isArray(part)) return part.map((element) => replaceIn(element, ''));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, replaceIn(inner, key)]));
  };
  return replaceIn(value, '') as Value;
};

/** The owners of a resource: the patients to whose charts it belongs, and whether there is any other, such as a group. */
export type Owners = {
  /** The ids of the patients, each once. */
  readonly patientIds: readonly string[];
  /** Whether it also belongs to something other than a patient. It can then be of any chart. */
  readonly hasOthers: boolean;
};

const referenceOf = (element: unknown): unknown =>
  typeof element === 'object' && element !== null && 'reference' in element ? element.reference : undefined;

/** Reads the owners of a resource: a patient itself, and otherwise its `subject` and its `patient`. */
export const readOwners = (resource: {
  readonly resourceType: string;
  readonly id?: string | undefined;
}): Owners => {
  const { resourceType, id = '' } = resource;
  if (resourceType === 'Patient') return { patientIds: [id], hasOthers: false };
  const { subject, patient } = resource as { readonly subject?: unknown; readonly patient?: unknown };
  const owners = [subject, patient].flat().filter((owner) => owner !== undefined);
  const patientIds = owners.flatMap((owner) => {
    const reference = parseReference(`${referenceOf(owner)}`);
    return reference?.type === 'Patient' ? [reference.id] : [];
  });
  return { patientIds: [...new Set(patientIds)], hasOthers: patientIds.length < owners.length };
};

/** The place of references in a resource: the names of its elements from the outside in. */
export type ReferencePath = readonly string[];

/** The references to the patient of a resource that has a `subject`. */
export const subjectReferences = { patient: ['subject'], subject: ['subject'] } as const;

/** The values of `_include` for a type, such as `Goal:patient`; `*` is all of them. Source: FHIR R4, Search, 3.1.1.5.4. */
export const includeValues = (
  type: string,
  references: Readonly<Record<string, ReferencePath>>,
): readonly string[] => [...Object.keys(references).map((name) => `${type}:${name}`), '*'];

const elementsAt = (value: unknown, name: string): readonly unknown[] => {
  const element: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return element === undefined ? [] : [element].flat();
};

/** The references of a resource at a path. */
export const readReferences = (resource: unknown, path: ReferencePath): readonly string[] =>
  [...path, 'reference']
    .reduce<readonly unknown[]>(
      (values, name) => values.flatMap((value) => elementsAt(value, name)),
      [resource],
    )
    .filter((reference) => typeof reference === 'string');
