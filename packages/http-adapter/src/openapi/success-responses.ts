import type { JsonSchema } from '@clinical-records/core';
import type { Route } from '../routes.ts';
import { contentOf, schemaRef } from './content.ts';
import { headerRefs } from './headers.ts';

const bundleSchemaOf = (type: string): JsonSchema => ({
  allOf: [
    schemaRef('Bundle'),
    {
      type: 'object',
      properties: {
        entry: {
          type: 'array',
          description: 'Absent if the page is empty: FHIR does not allow empty arrays.',
          items: { type: 'object', properties: { resource: schemaRef(type) }, required: ['resource'] },
        },
      },
    },
  ],
});

const writeResponseOf = (type: string) => ({
  description: '`null`, or the resource if `Prefer: return=representation` asks for it',
  content: contentOf({ anyOf: [{ type: 'null' }, schemaRef(type)] }),
});

/** The response of a route to a request that succeeded. */
export const successResponseOf = ({ type, interaction }: Route) => {
  switch (interaction) {
    case 'read':
      return {
        200: {
          description: 'The resource',
          content: contentOf(schemaRef(type)),
          headers: headerRefs('ETag', 'Last-Modified'),
        },
      };
    case 'search':
      return {
        200: {
          description: 'A page of the matches',
          content: contentOf(bundleSchemaOf(type)),
          headers: headerRefs(),
        },
      };
    case 'create':
      return { 201: { ...writeResponseOf(type), headers: headerRefs('Location', 'ETag', 'Last-Modified') } };
    case 'update':
      return { 200: { ...writeResponseOf(type), headers: headerRefs('ETag', 'Last-Modified') } };
  }
};
