import type { ResourceDescription } from '@clinical-records/core';
import type { Route } from '../routes.ts';
import { permissions } from '../scopes.ts';
import { outcomesOf } from './outcomes.ts';
import { parametersOf } from './parameters.ts';
import { requestBodyOf } from './request-body.ts';
import { successOf } from './success.ts';

/** Whose scopes grant a thing; see `grantedChart`. */
const contexts = ['user', 'system', 'patient'] as const;

const verbs = { read: 'Read', search: 'Search', create: 'Create', update: 'Update' } as const;

const sentenceOf = ({ interaction }: Route, { bodies }: ResourceDescription): string => {
  switch (interaction) {
    case 'read':
      return '';
    case 'search':
      return 'A comma in a value is "or", a repeated parameter is "and", a backslash escapes. Oldest first.\n\n';
    default:
      return `${bodies[interaction]?.description}\n\n`;
  }
};

/** One operation: what serves a route, described. */
export const operationOf = (route: Route, description: ResourceDescription) => {
  const { type, place, interaction } = route;
  const isForm = place === 'search';
  const scopes = contexts.map((context) => `${context}/${type}.${permissions[interaction]}`);
  return {
    tags: [type],
    operationId: `${interaction}${type}${isForm ? 'ByForm' : ''}`,
    summary: `${verbs[interaction]} ${type}${isForm ? ' by a form' : ''}`,
    description: `${sentenceOf(route, description)}Needs one of the scopes ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`,
    security: scopes.map((scope) => ({ bearer: [scope] })),
    parameters: parametersOf(route, description),
    ...requestBodyOf(route, description),
    responses: { ...successOf(route), ...outcomesOf(route) },
  };
};
