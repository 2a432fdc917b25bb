import * as z from 'zod';

/** A JSON Schema of draft 2020-12. */
export type JsonSchema = { readonly [keyword: string]: unknown };

const notStored = {
  description: 'Not stored: dropped, or refused under `Prefer: handling=strict`.',
};

/** Describes the elements that are not stored in one line. */
const nameNotStored = (schema: z.core.JSONSchema.BaseSchema): void => {
  const { notStored: names } = schema;
  if (!Array.isArray(names)) return;
  delete schema.notStored;
  schema.patternProperties = { [`^(${names.join('|')})$`]: notStored };
};

const omitNotStored = (schema: z.core.JSONSchema.BaseSchema): void => {
  delete schema.notStored;
};

const createRenderer =
  (changeElement: (schema: z.core.JSONSchema.BaseSchema) => void) =>
  (schema: z.ZodType): JsonSchema => {
    const { $schema, ...json } = z.toJSONSchema(schema, {
      io: 'input',
      override: ({ jsonSchema }) => changeElement(jsonSchema),
    });
    return json;
  };

/** The bodies that a schema allows, as far as JSON Schema can express it. */
export const toBodySchema = createRenderer(nameNotStored);

/** The resources that a schema describes, which have none of the elements that are not stored. */
export const toResourceSchema = createRenderer(omitNotStored);
