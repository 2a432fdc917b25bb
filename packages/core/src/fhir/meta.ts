import { z } from 'zod';
import { dateTime } from './date-time.ts';
import { named, type SchemaOutput } from './schema-output.ts';

const outputMeta = z.object({
  /** The version: the number in its ETag. */
  versionId: z.string().describe('The version: the number in its ETag.'),
  /** When the version was written. */
  lastUpdated: dateTime.describe('When the version was written.'),
  /** The US Core profile that the resource conforms to; absent if it does not. */
  profile: z
    .array(z.string())
    .exactOptional()
    .describe('The US Core profile that the resource conforms to; absent if it does not.'),
});

/** The version of a resource. FHIR R4, Resource, 2.26.3.1. */
export interface ResourceMeta extends SchemaOutput<typeof outputMeta> {}

/** The element `meta` of a resource. It is added when a stored resource is returned, and is not part of a state. */
export const meta = named<ResourceMeta>(outputMeta)
  .exactOptional()
  .describe('The version; absent if the resource is not stored yet.');

/** Whether `meta` has only elements that a read adds, so that nothing is lost if it is dropped. */
export const isMetaOfRead = (value: unknown): boolean =>
  outputMeta.partial().strict().safeParse(value).success;
