import { z } from 'zod';
import type { SchemaOutput } from './schema-output.ts';

const linkRelations = ['self', 'first', 'next', 'last'] as const;

export type LinkRelation = (typeof linkRelations)[number];

/** A bundle without its entries. Source: docs/http-interface.md#searching. */
export const bundleHeadSchema = z.object({
  resourceType: z.literal('Bundle'),
  type: z.literal('searchset'),
  total: z
    .int()
    .nonnegative()
    .meta({ description: 'How many resources match, on this page or not.', examples: [12] }),
  link: z.array(
    z.object({
      relation: z.enum(linkRelations),
      url: z
        .string()
        .describe('Relative to the URL of the request.')
        .meta({ examples: ['Goal?patient=7&_count=10&_offset=0'] }),
    }),
  ),
});

/** The result of a search. Source: docs/http-interface.md#searching. */
export type Bundle<Resource> = SchemaOutput<typeof bundleHeadSchema> & {
  /** Absent if the page is empty, because FHIR does not allow empty arrays. */
  readonly entry?: readonly { readonly resource: Resource }[];
};

/** A bundle as JSON text, with the texts of its resources as they are stored. */
export const renderBundle = (
  head: Pick<Bundle<never>, 'total' | 'link'>,
  resources: readonly string[],
): string => {
  const entry = resources.map((resource) => `{"resource":${resource}}`).join();
  const start = `{"resourceType":"Bundle","type":"searchset","total":${head.total},"link":${JSON.stringify(head.link)}`;
  return entry === '' ? `${start}}` : `${start},"entry":[${entry}]}`;
};
