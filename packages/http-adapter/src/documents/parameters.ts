import type {
  DirectoryDescription,
  DirectorySearchType,
  InterfaceDescription,
  JsonSchema,
  ParameterDescription,
  ResourceDescription,
  ServedType,
} from '@clinical-records/core/adapter';
import { mediaTypes } from '../http.ts';
import { isConditionalCreate, type ResourceRoute } from '../routes/route.ts';

export const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** A body in each of the supported media types. */
export const contentOf = (schema: JsonSchema) =>
  Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }]));

export const textSchema = { type: 'string' } as const;

/** The headers of responses, by their names. */
export const headers = {
  ETag: {
    description: 'The version, as `If-Match` expects it.',
    schema: { ...textSchema, examples: ['W/"3"'] },
  },
  'Last-Modified': {
    description: 'The time of the last change, as `If-Unmodified-Since` expects it.',
    schema: { ...textSchema, examples: ['Wed, 02 Oct 2024 09:30:00 GMT'] },
  },
  Location: {
    description: 'The URL of the new resource.',
    schema: { ...textSchema, format: 'uri-reference' },
  },
  'Cache-Control': {
    description: 'The response must not be cached.',
    schema: { ...textSchema, const: 'no-store' },
  },
  'X-Content-Type-Options': {
    description: 'The body has the type that `Content-Type` names.',
    schema: { ...textSchema, const: 'nosniff' },
  },
  'X-Request-Id': {
    description: 'The id of the request: that of the request header if it is short and plain, or a new one.',
    schema: textSchema,
  },
  'Preference-Applied': {
    description: 'The `return` of `Prefer` that the response to a write follows.',
    schema: textSchema,
  },
  'X-Warning-Count': {
    description: "How many warnings the host's rules have. Absent if there are none.",
    schema: { ...textSchema, examples: ['1'] },
  },
  Allow: { description: 'The methods that are supported here.', schema: textSchema },
  'Retry-After': { description: 'The seconds after which to send it again.', schema: textSchema },
  'WWW-Authenticate': { description: 'The way to authenticate.', schema: { ...textSchema, const: 'Bearer' } },
} as const;

/** References to the headers of every response, and to the named ones. */
export const headerRefs = (...names: readonly (keyof typeof headers)[]) =>
  Object.fromEntries(
    (['Cache-Control', 'X-Content-Type-Options', 'X-Request-Id', ...names] as const).map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );

/** The description of a type of resource for its operations. */
export type TypeDescription = Pick<ResourceDescription, 'resource' | 'parameters' | 'bodies'> & {
  /** Whether its resources have versions: not if the host or the directory serves them. */
  readonly isVersioned: boolean;
};

/** A resource that the interface only refers to. The host or the directory determines its other elements. */
const referencedSchema = (type: string): JsonSchema => ({
  type: 'object',
  description: `A ${type} of FHIR R4.`,
  properties: { resourceType: { type: 'string', const: type }, id: { type: 'string' } },
  required: ['resourceType', 'id'],
  additionalProperties: true,
});

/** The description of a type that the directory serves; undefined for any other, such as one of the host. */
export const directoryDescriptionOf = (
  { directory }: InterfaceDescription,
  type: string,
): DirectoryDescription | undefined =>
  Object.hasOwn(directory, type) ? directory[type as DirectorySearchType] : undefined;

export const describeType = (description: InterfaceDescription, type: string): TypeDescription =>
  Object.hasOwn(description.resources, type)
    ? { ...description.resources[type as ServedType], isVersioned: true }
    : {
        resource: referencedSchema(type),
        parameters: directoryDescriptionOf(description, type)?.parameters ?? [],
        bodies: {},
        isVersioned: false,
      };

/** The parameters of the query string as a form. */
const formSchemaOf = (parameters: TypeDescription['parameters']): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    parameters.map(({ name, description, schema }) => [name, { description, ...schema }]),
  ),
});

/** FHIR's Parameters with what is validated. */
const validationSchemaOf = (resource: JsonSchema, mode: string): JsonSchema => {
  const constantOf = (name: string) => ({ type: 'string', const: name });
  const closed = { type: 'object', additionalProperties: false } as const;
  const parts = [
    {
      ...closed,
      properties: { name: constantOf('resource'), resource },
      required: ['name', 'resource'],
    },
    {
      ...closed,
      properties: { name: constantOf('mode'), valueCode: constantOf(mode) },
      required: ['name', 'valueCode'],
    },
  ];
  return {
    ...closed,
    properties: {
      resourceType: constantOf('Parameters'),
      parameter: { type: 'array', items: { anyOf: parts }, minItems: 1, maxItems: parts.length },
    },
    required: ['resourceType', 'parameter'],
  };
};

export const requestBodyOf = (
  { type, bodyFormat, interaction, parameters, isValidation }: ResourceRoute,
  description: TypeDescription,
) => {
  switch (bodyFormat) {
    case 'nothing':
      return {};
    case 'form':
      return {
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': {
              schema: formSchemaOf(parameters ?? description.parameters),
            },
          },
        },
      };
    case 'json': {
      const body = schemaRef(`${type}.${interaction}`);
      const schema = isValidation ? { anyOf: [body, validationSchemaOf(body, interaction)] } : body;
      return { requestBody: { required: true, content: contentOf(schema) } };
    }
  }
};

const headerParameter = (name: string, description: string) => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
});

const handling = headerParameter(
  'Prefer',
  '`handling=lenient` ignores unknown parameters beside known conditions. Otherwise they are an error.',
);

export const preferences = headerParameter(
  'Prefer',
  '`return=representation` returns the resource if the sender may read it, `return=OperationOutcome` only what happened; `handling=strict` refuses elements that are not stored.',
);

export const preconditions = [
  headerParameter('If-Match', 'Only if the resource has this version, such as `W/"3"`.'),
  headerParameter(
    'If-Unmodified-Since',
    'Only if it was not modified after this time, such as `Wed, 02 Oct 2024 09:30:00 GMT`. Ignored if there is an `If-Match`.',
  ),
];

export const idempotencyKey = headerParameter(
  'Idempotency-Key',
  'A text that a retry sends again. Repeated requests with the same body create one resource, and get the same response as the first. 1 to 255 visible ASCII characters.',
);

const ifNoneExist = headerParameter(
  'If-None-Exist',
  'Only if no resource of the patient has this identifier of the body and is not entered in error, such as `identifier=urn:oid:1.2.3|A-1`. Otherwise the response is a 200 with its `Location`, or a 412 if several have it.',
);

/** The id in the path: the id of the resource that is read, or of the body that is sent. */
const idParameterOf = ({ properties }: JsonSchema) => {
  const { id } = properties as { readonly id: JsonSchema };
  const { description = 'Id of the resource.', ...schema } = id;
  return { name: 'id', in: 'path', required: true, description, schema };
};

const versionParameter = {
  name: 'version',
  in: 'path',
  required: true,
  description: 'The number of the version, as in an `ETag`.',
  schema: { type: 'integer', minimum: 1 },
};

const patientParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Id of the patient.',
  schema: { type: 'string', minLength: 1 },
};

export const ifNoneMatch = headerParameter(
  'If-None-Match',
  'The versions that the client has, such as `W/"3"`: for one of them, the response is a 304.',
);

export const queryParametersOf = (parameters: readonly ParameterDescription[]) => [
  ...parameters.map(({ name, description, schema }) => ({ name, in: 'query', description, schema })),
  handling,
];

const validationParametersOf = (mode: string) => [
  {
    name: 'mode',
    in: 'query',
    description: 'The mode of the validation. It can be left out.',
    schema: { type: 'string', const: mode },
  },
  headerParameter('Prefer', '`handling=strict` refuses elements that are not stored.'),
];

/** The parameters of a route outside of its body. */
export const parametersOf = (route: ResourceRoute, description: InterfaceDescription) => {
  const { type, interaction, level, isValidation } = route;
  const { resource, parameters, bodies, isVersioned } = describeType(description, type);
  if (isValidation)
    return [
      ...(level === 'instance' ? [idParameterOf(bodies.update ?? resource)] : []),
      ...validationParametersOf(interaction),
    ];
  switch (interaction) {
    case 'read':
      return isVersioned ? [idParameterOf(resource), ifNoneMatch] : [idParameterOf(resource)];
    case 'vread':
      return [idParameterOf(resource), versionParameter, ifNoneMatch];
    case 'history':
      return [idParameterOf(resource), ...queryParametersOf(description.historyParameters)];
    case 'operation':
      return [idParameterOf(resource), ...queryParametersOf(route.parameters ?? [])];
    case 'search': {
      if (level === 'search') return [handling];
      const inQuery = queryParametersOf(route.parameters ?? parameters);
      return level === 'chart' ? [patientParameter, ...inQuery] : inQuery;
    }
    case 'create':
      return [idempotencyKey, ...(isConditionalCreate(route) ? [ifNoneExist] : []), preferences];
    case 'update':
      return [idParameterOf(bodies.update ?? resource), ...preconditions, preferences];
  }
};
