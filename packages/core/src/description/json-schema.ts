import { z } from 'zod';

/** A JSON Schema of draft 2020-12. */
export type JsonSchema = { readonly [keyword: string]: unknown };

const notStored = {
  description: 'Not stored: dropped, or refused under `Prefer: handling=strict`.',
};

/** Names the elements that are not stored in one line; what is always refused is then like any other name. */
const gatherAbsent = (schema: z.core.JSONSchema.BaseSchema): void => {
  const absent = Object.entries(schema.properties ?? {}).filter(
    ([, element]) => typeof element === 'object' && 'absent' in element,
  );
  const dropped = absent.filter(([, element]) => (element as JsonSchema).absent === 'not-stored');
  for (const [name] of absent) delete schema.properties?.[name];
  if (dropped.length > 0) {
    schema.patternProperties = { [`^(${dropped.map(([name]) => name).join('|')})$`]: notStored };
  }
};

/** What a schema takes, in so far as JSON Schema can say it. */
export const jsonSchemaOf = (schema: z.ZodType): JsonSchema => {
  const { $schema, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => gatherAbsent(jsonSchema),
  });
  return json;
};
