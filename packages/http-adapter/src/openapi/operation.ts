import type { InterfaceDescription } from '@clinical-records/core';
import type { PreferredReturn } from '../request-headers.ts';
import type { Route } from '../routes.ts';
import { contextsOf, isAuditType, permissions } from '../scopes.ts';
import { errorResponsesOf } from './error-responses.ts';
import { parametersOf } from './parameters.ts';
import { requestBodyOf } from './request-body.ts';
import { successResponseOf } from './success-responses.ts';
import { describeType, type TypeDescription } from './type-description.ts';

const verbs = {
  read: 'Read',
  vread: 'Read a version of',
  history: 'Read the versions of',
  search: 'Search',
  operation: 'Read everything of',
  create: 'Create',
  update: 'Update',
} as const;

const introductionOf = ({ type, interaction }: Route, { bodies }: TypeDescription): string => {
  switch (interaction) {
    case 'read':
    case 'vread':
      return '';
    case 'operation':
      return 'The resource, its chart, and the resources to which they refer, as far as the sender may read them.\n\n';
    case 'history':
      return 'Newest first.\n\n';
    case 'search':
      if (isAuditType(type)) return 'Newest first.\n\n';
      return 'A comma in a value is "or", a repeated parameter is "and", a backslash escapes. Oldest first.\n\n';
    default:
      return `${bodies[interaction]?.description}\n\n`;
  }
};

/** The options of the handler that change its responses. */
export type ServedOptions = {
  readonly defaultReturn: PreferredReturn;
  readonly isLimitedInFlight: boolean;
};

/** Describes a route as an operation of OpenAPI. */
export const operationOf = (
  route: Route,
  description: InterfaceDescription,
  { defaultReturn, isLimitedInFlight }: ServedOptions,
) => {
  const resource = describeType(description, route.type);
  const { type, level, interaction } = route;
  const isForm = level === 'search';
  const scopes = contextsOf(type).map((context) => `${context}/${type}.${permissions[interaction]}`);
  return {
    tags: [type],
    operationId: `${interaction}${type}${isForm ? 'ByForm' : ''}`,
    summary: `${verbs[interaction]} ${type}${isForm ? ' by a form' : ''}`,
    description: `${introductionOf(route, resource)}Needs one of the scopes ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`,
    security: scopes.map((scope) => ({ bearer: [scope] })),
    parameters: parametersOf(route, description),
    ...requestBodyOf(route, resource),
    responses: {
      ...successResponseOf(route, resource, defaultReturn),
      ...errorResponsesOf(route, { isLimitedInFlight }),
    },
  };
};
