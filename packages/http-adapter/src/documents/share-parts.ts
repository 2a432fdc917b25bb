type Part = { readonly [name: string]: unknown };

const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The keywords of JSON Schema whose value is a schema, a list of schemas, or schemas by names. */
const inner = ['items', 'contains', 'additionalProperties', 'not'] as const;
const listed = ['allOf', 'anyOf', 'oneOf'] as const;
const named = ['properties', 'patternProperties'] as const;

/** The schemas in a schema, each replaced. A name is that of the property, or of the one around it. */
const mapInner = (schema: Part, name: string, replace: (schema: Part, name: string) => Part): Part => {
  const mapped: Record<string, unknown> = { ...schema };
  for (const keyword of inner) if (isPart(schema[keyword])) mapped[keyword] = replace(schema[keyword], name);
  for (const keyword of listed) {
    const schemas = schema[keyword];
    if (Array.isArray(schemas)) mapped[keyword] = schemas.map((one: Part) => replace(one, name));
  }
  for (const keyword of named) {
    const schemas = schema[keyword];
    if (!isPart(schemas)) continue;
    mapped[keyword] = Object.fromEntries(
      Object.entries(schemas).map(([key, one]) => [key, isPart(one) ? replace(one, key) : one]),
    );
  }
  return mapped;
};

/** The fewest characters of a part that is worth a name. */
const leastShared = 100;

/** The parts that several others have, by their texts. */
const createSharing = (taken: Iterable<string>, path: string) => {
  const counts = new Map<string, number>();
  const names = new Map<string, string>();
  const used = new Set(taken);
  const components: Record<string, Part> = {};

  const nameFor = (wanted: string): string => {
    const base = wanted.replaceAll(/[^\w.-]/g, '') || 'Part';
    let name = base;
    for (let count = 2; used.has(name); count += 1) name = `${base}${count}`;
    used.add(name);
    return name;
  };

  return {
    components,
    /** Counts a part. Returns whether it is the first of its text. */
    count: (part: Part): boolean => {
      const text = JSON.stringify(part);
      counts.set(text, (counts.get(text) ?? 0) + 1);
      return counts.get(text) === 1;
    },
    /** A reference to a part that several have, whose content is made once; null for any other. */
    share: (part: Part, wanted: string, contentOf: () => Part): Part | null => {
      const text = JSON.stringify(part);
      if (text.length < leastShared || (counts.get(text) ?? 0) < 2) return null;
      const known = names.get(text);
      const name = known ?? nameFor(wanted);
      if (known === undefined) {
        names.set(text, name);
        components[name] = contentOf();
      }
      return { $ref: `#/components/${path}/${name}` };
    },
  };
};

const capitalize = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Replaces the schemas and the parameters of an operation, a response or a request body. */
const mapOperation = (
  value: unknown,
  replaceSchema: (schema: Part, name: string) => Part,
  replaceParameter: (parameter: Part) => Part,
): unknown => {
  if (Array.isArray(value)) return value.map((item) => mapOperation(item, replaceSchema, replaceParameter));
  if (!isPart(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      if (key === 'parameters' && Array.isArray(part)) return [key, part.map(replaceParameter)];
      if (key === 'schema' && isPart(part)) return [key, replaceSchema(part, 'Page')];
      return [key, mapOperation(part, replaceSchema, replaceParameter)];
    }),
  );
};

type Document = {
  readonly paths: object;
  readonly components: { readonly schemas: Readonly<Record<string, Part>> };
};

/**
 * The same document of OpenAPI, in which schemas and parameters that occur several times are components. A type of the host takes a
 * fifth of the text then.
 */
export const shareParts = <Shared extends Document>(document: Shared): Shared => {
  const { paths, components } = document;
  const schemas = createSharing(Object.keys(components.schemas), 'schemas');
  const parameters = createSharing([], 'parameters');
  const countSchema = (schema: Part): Part => {
    if (schemas.count(schema)) mapInner(schema, '', countSchema);
    return schema;
  };
  const countParameter = (parameter: Part): Part => {
    parameters.count(parameter);
    return parameter;
  };
  for (const schema of Object.values(components.schemas)) mapInner(schema, '', countSchema);
  mapOperation(paths, countSchema, countParameter);

  const shareSchema = (schema: Part, name: string): Part => {
    const contentOf = () => mapInner(schema, name, shareSchema);
    return schemas.share(schema, capitalize(name), contentOf) ?? contentOf();
  };
  const shareParameter = (parameter: Part): Part =>
    parameters.share(parameter, String(parameter.name), () => parameter) ?? parameter;
  const sharedPaths = mapOperation(paths, shareSchema, shareParameter);
  const ownSchemas = Object.fromEntries(
    Object.entries(components.schemas).map(([name, schema]) => [name, mapInner(schema, name, shareSchema)]),
  );
  return {
    ...document,
    paths: sharedPaths,
    components: {
      ...components,
      schemas: { ...ownSchemas, ...schemas.components },
      parameters: parameters.components,
    },
  };
};
