import type * as z from 'zod';
import { isObject } from '../fhir/schema.ts';
import type { Field, HostExtension, TypeFields } from '../host-fields/host-extension.ts';
import type { JsonSchema } from './json-schema.ts';

/** The extensions of a type, in the order in which the host names them. */
export const extensionsIn = (fields: TypeFields): readonly (HostExtension & { readonly url: string })[] =>
  [...fields.values()].flatMap((ofElement) =>
    Array.from(ofElement, ([url, { extension }]) => ({ ...extension, url })),
  );

/** The schema of an element with the extensions that it can have, beside those of the library. */
const withExtensions = (
  { patternProperties, ...schema }: JsonSchema,
  known: Iterable<Field>,
  render: (schema: z.ZodType) => JsonSchema,
): JsonSchema => {
  const properties = (schema.properties ?? {}) as JsonSchema;
  const { extension: before } = properties as { readonly extension?: JsonSchema };
  const ours = before?.items === undefined ? [] : [before.items];
  const added = Array.from(known, (field) => render(field.schema));
  const description = [before?.description, 'Extensions of the host.'].filter(Boolean).join(' ');
  const extension = { description, type: 'array', items: { anyOf: [...ours, ...added] } };
  // Extensions that the host does not declare are still not stored.
  const notStored = isObject(patternProperties) && ours.length === 0 ? [{}] : [];
  return {
    ...schema,
    properties: {
      ...properties,
      extension:
        notStored.length === 0 ? extension : { ...extension, items: { anyOf: [...added, ...notStored] } },
    },
    ...(patternProperties !== undefined && { patternProperties }),
  };
};

/** The schema of a resource, a body or a command with the fields of its type. An element that it does not have has none. */
export const addFieldSchemas = (
  schema: JsonSchema,
  fields: TypeFields | undefined,
  render: (schema: z.ZodType) => JsonSchema,
): JsonSchema => {
  let described = schema;
  for (const [name, known] of fields ?? []) {
    const properties = described.properties as JsonSchema;
    const element = name === '' ? described : properties[name];
    if (!isObject(element)) continue;
    const extended = withExtensions(element, known.values(), render);
    described = name === '' ? extended : { ...described, properties: { ...properties, [name]: extended } };
  }
  return described;
};
