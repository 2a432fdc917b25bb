/** The values of a working request: by the names of its parameters, of its form, and its body. */
type Sample = {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly body?: object;
};

/** A sample for each operation, by its `operationId`. */
export type Samples = Readonly<Record<string, Sample>>;

type Schema = { readonly [keyword: string]: unknown };

/** A part of the document, or a reference to one of its components. */
type Resolve = <Part extends object>(part: Part) => Part;

type Operation = {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
};

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
};

const mapValues = <A, B>(record: Readonly<Record<string, A>>, change: (value: A, name: string) => B) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));

/** A form with empty fields except those of the sample. Swagger UI would fill in a text such as `string`. */
const formWith = (schema: Schema, form: Readonly<Record<string, string>>, resolve: Resolve): Schema => ({
  ...schema,
  properties: mapValues(schema.properties as Record<string, Schema>, (sent, name) => {
    const property = resolve(sent);
    return property.default === undefined || name in form
      ? { ...property, examples: [form[name] ?? ''] }
      : property;
  }),
});

const operationWith = (
  operation: Operation,
  { parameters = {}, form = {}, body }: Sample,
  resolve: Resolve,
): Operation => ({
  ...operation,
  parameters: operation.parameters.map(resolve).map((parameter) => {
    const example = parameters[parameter.name];
    return example === undefined ? parameter : { ...parameter, example };
  }),
  ...(operation.requestBody && {
    requestBody: {
      ...operation.requestBody,
      content: mapValues(operation.requestBody.content, (media, type) =>
        type.endsWith('json')
          ? { ...media, ...(body !== undefined && { example: body }) }
          : { ...media, schema: formWith(resolve(media.schema), form, resolve) },
      ),
    },
  }),
});

/**
 * An OpenAPI document as JSON text, with samples that a viewer can fill in. The viewer sends requests to its own origin,
 * by whatever name a browser knows it.
 */
export const describeWithSamples = (text: string, samples: Samples, basePath: string): string => {
  const document = JSON.parse(text) as Document;
  const resolve = <Part extends object>(part: Part): Part => {
    const { $ref } = part as { readonly $ref?: string };
    const [, , kind = '', name = ''] = $ref?.split('/') ?? [];
    return $ref === undefined ? part : (document.components[kind]?.[name] as Part);
  };
  const paths = mapValues(document.paths, (methods) =>
    mapValues(methods, (operation) =>
      operationWith(operation, samples[operation.operationId.replace(/Validation$/, '')] ?? {}, resolve),
    ),
  );
  return JSON.stringify({ ...document, servers: [{ url: basePath === '' ? '/' : basePath }], paths });
};
