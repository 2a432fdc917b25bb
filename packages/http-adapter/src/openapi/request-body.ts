import type { JsonSchema, ResourceDescription } from '@clinical-records/core';
import type { Route } from '../routes.ts';
import { contentOf, schemaRef } from './content.ts';

/** The parameters of the query string as a form. */
const formSchemaOf = ({ parameters }: ResourceDescription): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    parameters.map(({ name, description, schema }) => [name, { description, ...schema }]),
  ),
});

/** The request body of a route, if it has one. */
export const requestBodyOf = ({ type, bodyFormat, interaction }: Route, description: ResourceDescription) => {
  switch (bodyFormat) {
    case 'nothing':
      return {};
    case 'form':
      return {
        requestBody: {
          content: { 'application/x-www-form-urlencoded': { schema: formSchemaOf(description) } },
        },
      };
    case 'json':
      return { requestBody: { required: true, content: contentOf(schemaRef(`${type}.${interaction}`)) } };
  }
};
