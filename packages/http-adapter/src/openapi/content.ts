import type { JsonSchema } from '@clinical-records/core';
import { mediaTypes } from '../media-type.ts';

/** A schema that the document holds by its name. */
export const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** A body in each of the media types that are taken and offered. */
export const contentOf = (schema: JsonSchema) =>
  Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }]));
