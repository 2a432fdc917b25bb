import * as z from 'zod';
import { anyCoding, type PartialCoding } from './coding.ts';
import { dateTime } from './date-time.ts';
import { element, list } from './element.ts';
import { type Identifier, identifier } from './identifier.ts';
import type { BodyRule, Path } from './issues.ts';
import { named, type SchemaOutput } from './schema.ts';
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

/** The elements that resources of every type have, as they are stored. */
export interface CommonElements extends ResourceLabels {
  /** The numbers by which other systems know it. */
  readonly identifier?: readonly Identifier[] | undefined;
}

const store = createElementStorer<CommonElements>({
  ...labelElements,
  identifier: inputCommonElements.identifier,
});

type SentElements = {
  readonly meta?: ResourceLabels | undefined;
  readonly identifier?: readonly Identifier[] | undefined;
};

/** The common elements of a body or a command, as they are stored; undefined if there are none. */
export const storeCommonElements = ({ meta, identifier: sent }: SentElements): CommonElements | undefined =>
  store({ ...meta, identifier: sent });

/** The common elements of a command as it could be sent again. */
export const sentCommonElements = ({ identifier, ...meta }: CommonElements = {}): SentElements => ({
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
): CommonElements | undefined =>
  store({
    security: joinLists(some.security, others.security),
    tag: joinLists(some.tag, others.tag),
    identifier: joinLists(some.identifier, others.identifier),
  });
