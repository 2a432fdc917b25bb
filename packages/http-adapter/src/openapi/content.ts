import type { JsonSchema } from '@clinical-records/core';
import { mediaTypes } from '../media-type.ts';

/** A reference to a schema in the document. */
export const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** A body in each of the supported media types. */
export const contentOf = (schema: JsonSchema) =>
  Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }]));
