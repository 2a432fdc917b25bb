import { createRequire } from 'node:module';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { Clinic, ParsedResponse } from '../clinic.ts';

type Schema = { readonly [keyword: string]: unknown };

type Response = {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
  readonly headers?: Readonly<Record<string, unknown>>;
};

type Operation = {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: { readonly type: string };
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, Response>>;
};

export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
};

export const fetchDocument = async ({ send }: Clinic): Promise<Document> =>
  (await send('GET', '/openapi.json', { token: null })).json;

/** A schema that knows no element but those that it names. */
const withoutUnknownElements = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutUnknownElements);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, withoutUnknownElements(value)]),
  );
  return inner.type === 'object' && 'properties' in inner
    ? { unevaluatedProperties: false, ...inner }
    : inner;
};

/** Compiles the schema of OpenAPI once for all documents. */
export const openApiValidator = new Validator();

type Ajv = {
  readonly addSchema: (schema: unknown, key: string) => unknown;
  readonly compile: (schema: unknown) => ((value: unknown) => boolean) & { readonly errors?: unknown };
};

const require = createRequire(import.meta.url);
// Ajv and its formats come with the validator of OpenAPI, and are what that one runs on.
const requireOfValidator = createRequire(require.resolve('@seriousme/openapi-schema-validator'));
const { Ajv2020 } = requireOfValidator('ajv/dist/2020.js') as {
  readonly Ajv2020: new (options: object) => Ajv;
};
const { default: addFormats } = requireOfValidator('ajv-formats') as { readonly default: (ajv: Ajv) => Ajv };

/** The URL of a schema of a document, by which Ajv compiles it once for all that refer to it. */
const urlOf = (name: string): string => `https://document.example/${name}`;

const withUrls = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', `"${urlOf('')}`));

/** The issues of values by the schemas of a document. A response must not have an element that is not described. */
export const createValidator = (document: Document) => {
  const { Bundle, HistoryBundle, HistoryEntry, ...schemas } = document.components.schemas;
  const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true, inlineRefs: false }));
  const all = { ...(withoutUnknownElements(schemas) as object), Bundle, HistoryBundle, HistoryEntry };
  for (const [name, schema] of Object.entries(all)) ajv.addSchema(withUrls(schema), urlOf(name));
  const compiled = new Map<string, ReturnType<Ajv['compile']>>();
  return (schema: Schema, value: unknown): unknown => {
    const key = JSON.stringify(schema);
    const validate = compiled.get(key) ?? ajv.compile(withUrls(schema));
    compiled.set(key, validate);
    return validate(value) ? null : validate.errors;
  };
};

/** The operation of a path as it is asked for, and what it says of an answer's status. */
export const findOperation = (document: Document, method: string, path: string) => {
  const template = path
    .replace(/\?.*$/, '')
    .replace(/^\/commands\/[^/]+\/[^/]+\/\d+/, '/commands/{resourceType}/{id}/{index}')
    .replace(/^\/commands\/CareTeam\/[^/]+$/, '/commands/CareTeam/{id}')
    .replace(/^\/commands\/(?!CareTeam)\w+\/[^/]+$/, '/commands/{resourceType}/{id}')
    .replace(/^(\/(?!commands)\w+\/)(?!_search$|\$validate$)[^/]+/, '$1{id}')
    .replace(/\/\d+$/, '/{version}');
  const operation = document.paths[template]?.[method.toLowerCase()];
  const responseTo = ({ status }: Pick<ParsedResponse, 'status'>): Response | undefined => {
    const response = operation?.responses[status];
    const name = response?.$ref?.replace('#/components/responses/', '');
    return name === undefined ? response : document.components.responses[name];
  };
  return { operation, responseTo };
};
