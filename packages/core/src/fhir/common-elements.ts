import * as z from 'zod';
import { anyCoding, type PartialCoding } from './coding.ts';
import { dateTime } from './date-time.ts';
import { element, list } from './element.ts';
import { type Identifier, identifier } from './identifier.ts';
import type { BodyRule, Path } from './issues.ts';
import { isObject, named, type SchemaOutput } from './schema.ts';
import { createElementStorer } from './stored-element.ts';

/** The elements of `meta` that are stored as they were sent. No rule looks at them. FHIR R4, Resource, 2.26.3.1. */
const labelElements = {
  /** The security labels, such as `R` for restricted. */
  security: list(anyCoding).optional(),
  /** The tags, for workflows. */
  tag: list(anyCoding).optional(),
};

const labelsSchema = z.object(labelElements);

/** The security labels and the tags of a resource. */
export interface ResourceLabels extends SchemaOutput<typeof labelsSchema> {}

/** Whether a tag says that elements of its resource are missing. FHIR has used several systems for it. FHIR R4, Search, 3.1.1.5.9. */
export const isSubsetted = (tag: unknown): boolean =>
  typeof tag === 'object' && tag !== null && 'code' in tag && tag.code === 'SUBSETTED';

/** The `meta` in a request: its labels are stored. */
const inputMeta = named<ResourceLabels>(
  element(
    {
      ...labelElements,
      tag: list(
        anyCoding.refine((tag) => !isSubsetted(tag), { params: { rule: 'subsetted' satisfies BodyRule } }),
      ).optional(),
    },
    ['versionId', 'lastUpdated', 'source', 'profile', '_versionId', '_lastUpdated', '_source', '_profile'],
  ),
).optional();

const addedElements = z.strictObject({
  versionId: z.string().describe('The version: the number in its ETag.'),
  lastUpdated: dateTime.describe('When the version was written.'),
  profile: z
    .array(z.string())
    .exactOptional()
    .describe('The US Core profile that the resource conforms to; absent if it does not.'),
});

const outputMeta = z.object({ ...addedElements.shape, ...labelElements });

/** The version and the labels of a resource. FHIR R4, Resource, 2.26.3.1. */
export interface ResourceMeta extends SchemaOutput<typeof outputMeta> {}

/** The element `meta` of a resource. The version is added when a stored resource is returned, and is not part of a state. */
export const meta = named<ResourceMeta>(outputMeta)
  .exactOptional()
  .describe('The version; absent if the resource is not stored yet.');

/** Whether an element is one that a read adds to `meta`, so that nothing is lost if it is dropped. */
export const isAddedByRead = ([first, name, ...rest]: Path, value: unknown): boolean =>
  first === 'meta' &&
  name !== undefined &&
  rest.length === 0 &&
  addedElements.partial().safeParse({ [name]: value }).success;

/** The elements that resources of every type have, as a request and a command give them. */
export const inputCommonElements = {
  /** The security labels and tags. The rest of it has no effect. */
  meta: inputMeta.describe('Security labels and tags. The rest of it has no effect.'),
  identifier: list(identifier).optional().describe('The numbers by which other systems know it.'),
};

/** The elements that resources of every type have, in a response. */
export const outputCommonElements = {
  /** The version and the labels; absent if the resource is not stored yet. */
  meta,
  identifier: z.array(identifier).exactOptional().describe('The numbers by which other systems know it.'),
};

/** An extension of the host, as it is stored and read. */
export type StoredExtension = { readonly url: string; readonly [value: `value${string}`]: unknown };

/** Extensions of the host, by the element that has them. The name of the resource itself is empty. */
export type StoredFields = Readonly<Record<string, readonly StoredExtension[]>>;

/** The elements that resources of every type have, as they are stored. */
export interface CommonElements extends ResourceLabels {
  /** The numbers by which other systems know it. */
  readonly identifier?: readonly Identifier[] | undefined;
  /** The extensions of the host. */
  readonly fields?: StoredFields | undefined;
}

/** A body that was parsed has its fields here, beside its elements: a schema that parses it again does not see them. */
const carried = Symbol('fields');

export const carryFields = <Parsed extends object>(parsed: Parsed, fields: StoredFields): Parsed => ({
  ...parsed,
  [carried]: fields,
});

/** The fields of a body that was parsed; undefined if it has none. */
export const carriedFields = (parsed: object): StoredFields | undefined =>
  (parsed as { readonly [carried]?: StoredFields })[carried];

type WithExtensions = { readonly extension?: readonly StoredExtension[] };

const addExtensions = <Element extends object>(
  element: Element,
  added: readonly StoredExtension[] | undefined,
): Element =>
  added === undefined
    ? element
    : { ...element, extension: [...((element as WithExtensions).extension ?? []), ...added] };

/** A resource or a command with its fields. No declaration is needed, so it shows what was stored. */
export const attachFields = <Shown extends object>(shown: Shown, fields: StoredFields | undefined): Shown => {
  if (fields === undefined) return shown;
  const { '': own, ...ofElements } = fields;
  const elements = Object.entries(ofElements).flatMap(([name, added]) => {
    const element = (shown as Readonly<Record<string, unknown>>)[name];
    return isObject(element) ? [[name, addExtensions(element, added)]] : [];
  });
  return addExtensions({ ...shown, ...Object.fromEntries(elements) }, own);
};

/** A parsed body as it could be sent, with its fields in their places, and nowhere else. */
export const toSentBody = <Parsed extends object>(parsed: Parsed): Parsed => {
  const fields = carriedFields(parsed);
  if (fields === undefined) return parsed;
  const { [carried]: _, ...body } = parsed as Parsed & { readonly [carried]: StoredFields };
  return attachFields(body as unknown as Parsed, fields);
};

/** The fields of two resources that become one, or of a resource and a later change: of each, the values of the first that has any. */
export const joinFields = (
  some: StoredFields | undefined,
  others: StoredFields | undefined,
): StoredFields | undefined => {
  if (some === undefined || others === undefined) return some ?? others;
  const joined: Record<string, readonly StoredExtension[]> = { ...some };
  for (const [name, added] of Object.entries(others)) {
    const before = some[name] ?? [];
    const urls = new Set(before.map(({ url }) => url));
    joined[name] = [...before, ...added.filter(({ url }) => !urls.has(url))];
  }
  return joined;
};

const store = createElementStorer<CommonElements>({
  ...labelElements,
  identifier: inputCommonElements.identifier,
});

type SentElements = {
  readonly meta?: ResourceLabels | undefined;
  readonly identifier?: readonly Identifier[] | undefined;
};

/** The common elements of a body or a command, as they are stored; undefined if there are none. */
export const storeCommonElements = (sent: SentElements): CommonElements | undefined => {
  const stored = store({ ...sent.meta, identifier: sent.identifier });
  const fields = carriedFields(sent);
  return fields === undefined ? stored : { ...stored, fields };
};

/** The common elements of a command as it could be sent again. */
export const sentCommonElements = ({
  identifier,
  fields: _,
  ...meta
}: CommonElements = {}): SentElements => ({
  ...(Object.keys(meta).length > 0 && { meta }),
  ...(identifier !== undefined && { identifier }),
});

const joinLists = <Part extends PartialCoding | Identifier>(
  some: readonly Part[] = [],
  others: readonly Part[] = [],
): readonly Part[] => [...new Map([...some, ...others].map((part) => [JSON.stringify(part), part])).values()];

/** The common elements of two resources that become one. */
export const joinCommonElements = (
  some: CommonElements = {},
  others: CommonElements = {},
): CommonElements | undefined => {
  const joined = store({
    security: joinLists(some.security, others.security),
    tag: joinLists(some.tag, others.tag),
    identifier: joinLists(some.identifier, others.identifier),
  });
  const fields = joinFields(some.fields, others.fields);
  return fields === undefined ? joined : { ...joined, fields };
};
