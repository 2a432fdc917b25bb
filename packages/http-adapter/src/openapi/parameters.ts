import type { InterfaceDescription, JsonSchema, ParameterDescription } from '@clinical-records/core';
import type { Route } from '../routes.ts';
import { describeType } from './type-description.ts';

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

const preferences = headerParameter(
  'Prefer',
  '`return=representation` returns the resource if the sender may read it; `handling=strict` refuses elements that are not stored.',
);

const preconditions = [
  headerParameter('If-Match', 'Only if the resource has this version, such as `W/"3"`.'),
  headerParameter(
    'If-Unmodified-Since',
    'Only if it was not modified after this time, such as `Wed, 02 Oct 2024 09:30:00 GMT`. Ignored if there is an `If-Match`.',
  ),
];

const idempotencyKey = headerParameter(
  'Idempotency-Key',
  'A text that a retry sends again. Repeated requests with the same body create one resource, and get the same response as the first. 1 to 255 visible ASCII characters.',
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

const ifNoneMatch = headerParameter(
  'If-None-Match',
  'The versions that the client has, such as `W/"3"`: for one of them, the response is a 304.',
);

const queryParametersOf = (parameters: readonly ParameterDescription[]) => [
  ...parameters.map(({ name, description, schema }) => ({ name, in: 'query', description, schema })),
  handling,
];

/** The parameters of a route outside of its body. */
export const parametersOf = (route: Route, description: InterfaceDescription) => {
  const { type, interaction, level } = route;
  const { resource, parameters, bodies, isVersioned } = describeType(description, type);
  switch (interaction) {
    case 'read':
      return isVersioned ? [idParameterOf(resource), ifNoneMatch] : [idParameterOf(resource)];
    case 'vread':
      return [idParameterOf(resource), versionParameter, ifNoneMatch];
    case 'history':
      return [idParameterOf(resource), ...queryParametersOf(description.historyParameters)];
    case 'operation':
      return [idParameterOf(resource), ...queryParametersOf(route.parameters ?? [])];
    case 'search':
      return level === 'search' ? [handling] : queryParametersOf(route.parameters ?? parameters);
    case 'create':
      return [idempotencyKey, preferences];
    case 'update':
      return [idParameterOf(bodies.update ?? resource), ...preconditions, preferences];
  }
};
