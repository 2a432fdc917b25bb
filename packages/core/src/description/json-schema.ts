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

/** Renders each schema once, because it takes a millisecond or more. Each result is a new object, as the host may change it. */
const createRenderer = (changeElement: (schema: z.core.JSONSchema.BaseSchema) => void) => {
  const rendered = new WeakMap<z.ZodType, string>();
  return (schema: z.ZodType): JsonSchema => {
    const known = rendered.get(schema);
    if (known !== undefined) return JSON.parse(known);
    const { $schema, ...json } = z.toJSONSchema(schema, {
      io: 'input',
      override: ({ jsonSchema }) => changeElement(jsonSchema),
    });
    rendered.set(schema, JSON.stringify(json));
    return json;
  };
};

/** The bodies that a schema allows, as far as JSON Schema can express it. */
export const toBodySchema = createRenderer(nameNotStored);

/** The resources that a schema describes, which have none of the elements that are not stored. */
export const toResourceSchema = createRenderer(omitNotStored);
