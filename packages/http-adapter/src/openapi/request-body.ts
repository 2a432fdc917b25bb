import type { JsonSchema } from '@clinical-records/core';
import type { Route } from '../routes.ts';
import { contentOf, schemaRef } from './content.ts';
import type { TypeDescription } from './type-description.ts';

/** The parameters of the query string as a form. */
const formSchemaOf = (parameters: TypeDescription['parameters']): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    parameters.map(({ name, description, schema }) => [name, { description, ...schema }]),
  ),
});

/** The request body of a route, if it has one. */
export const requestBodyOf = (
  { type, bodyFormat, interaction, parameters }: Route,
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
    case 'json':
      return { requestBody: { required: true, content: contentOf(schemaRef(`${type}.${interaction}`)) } };
  }
};
