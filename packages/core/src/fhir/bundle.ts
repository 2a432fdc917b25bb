import { z } from 'zod';
import { named, type SchemaOutput } from './schema-output.ts';

const linkRelations = ['self', 'first', 'next', 'last'] as const;

export type LinkRelation = (typeof linkRelations)[number];

const link = z.object({
  /** Which page it is: this one, the first, the next or the last. */
  relation: z.enum(linkRelations),
  /** A search, relative to the URL of the request. */
  url: z
    .string()
    .describe('Relative to the URL of the request.')
    .meta({ examples: ['Goal?patient=7&_count=10&_offset=0'] }),
});

/** A link to a page of a search. */
export interface BundleLink extends SchemaOutput<typeof link> {}

/** A bundle without its entries. Source: docs/http-interface.md#searching. */
export const bundleHeadSchema = z.object({
  /** Always `Bundle`. */
  resourceType: z.literal('Bundle'),
  /** Always `searchset`. */
  type: z.literal('searchset'),
  /** How many resources match, on this page or not. */
  total: z
    .int()
    .nonnegative()
    .meta({ description: 'How many resources match, on this page or not.', examples: [12] }),
  /** Links to this page, to the first and the last one, and to the next one if there is more. */
  link: z.array(named<BundleLink>(link)),
});

/** A resource that a search found. */
export type SearchEntry<Resource> = {
  /** The resource. */
  readonly resource: Resource;
};

/** The result of a search. Source: docs/http-interface.md#searching. */
export interface Bundle<Resource> extends SchemaOutput<typeof bundleHeadSchema> {
  /** Absent if the page is empty, because FHIR does not allow empty arrays. */
  readonly entry?: readonly SearchEntry<Resource>[];
}

/** A bundle as JSON text, with the texts of its resources as they are stored. */
export const renderBundle = (
  head: Pick<Bundle<never>, 'total' | 'link'>,
  resources: readonly string[],
): string => {
  const entry = resources.map((resource) => `{"resource":${resource}}`).join();
  const start = `{"resourceType":"Bundle","type":"searchset","total":${head.total},"link":${JSON.stringify(head.link)}`;
  return entry === '' ? `${start}}` : `${start},"entry":[${entry}]}`;
};
