import { directoryResourceTypes, type InterfaceDescription, type JsonSchema } from '@clinical-records/core';
import packageJson from '../../package.json' with { type: 'json' };
import { pathTemplateOf } from '../path-template.ts';
import type { Route } from '../routes.ts';
import { bulkExportPathsOf } from './bulk-export-paths.ts';
import { errorResponsesFor, operationOutcomeSchema } from './error-responses.ts';
import { headers } from './headers.ts';
import { operationOf, type ServedOptions } from './operation.ts';
import { describeType } from './type-description.ts';

const apiDescription = `Reads and writes a patient's chart in the style of FHIR R4 and US Core 6.1.

HEAD returns the same as GET, without the body. Every error is an OperationOutcome with one issue for each thing that is wrong.`;

const schemasOf = (
  routes: readonly Route[],
  description: InterfaceDescription,
): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries([
    ...[...Map.groupBy(routes, ({ type }) => type)].flatMap(([type, ofType]) => {
      const { resource, bodies, staged } = describeType(description, type);
      const isServed = (one: string) => ofType.some(({ interaction }) => interaction === one);
      return [
        [type, resource],
        ...Object.entries(bodies)
          .filter(([interaction]) => isServed(interaction))
          .map(([interaction, body]) => [`${type}.${interaction}`, body]),
        ...(staged && isServed('create') ? [[`${type}.staged`, staged]] : []),
      ];
    }),
    ['Bundle', description.bundle],
    ['HistoryBundle', description.historyBundle],
    ['HistoryEntry', description.historyEntry],
    ['OperationOutcome', operationOutcomeSchema],
  ]);

/**
 * Describes the interface for programs and viewers, from its table of routes and the schemas that parse its bodies.
 * Source: OpenAPI 3.1.0, whose schemas are JSON Schema of draft 2020-12.
 */
export const createOpenApiDocument = ({
  routes,
  description,
  base,
  hasBulkExport,
  ...served
}: ServedOptions & {
  readonly routes: readonly Route[];
  readonly description: InterfaceDescription;
  /** The URL of the interface, or its path. */
  readonly base: string;
  readonly hasBulkExport: boolean;
}): Readonly<Record<string, unknown>> => {
  const types = [...new Set(routes.map(({ type }) => type))];
  return {
    openapi: '3.1.0',
    info: { title: 'Clinical records', version: packageJson.version, description: apiDescription },
    servers: [{ url: base === '' ? '/' : base }],
    tags: [
      ...types.map((name) => ({
        name,
        externalDocs: { url: `https://hl7.org/fhir/R4/${name.toLowerCase()}.html` },
      })),
      ...(hasBulkExport ? [{ name: '$export' }] : []),
    ],
    paths: Object.fromEntries([
      ...[...Map.groupBy(routes, pathTemplateOf)].map(([path, here]) => [
        path,
        Object.fromEntries(
          here.map((route) => [route.method.toLowerCase(), operationOf(route, description, served)]),
        ),
      ]),
      ...(hasBulkExport
        ? bulkExportPathsOf([...directoryResourceTypes, ...Object.keys(description.resources)])
        : []),
    ]),
    components: {
      schemas: schemasOf(routes, description),
      responses: errorResponsesFor({ isLimitedInFlight: served.isLimitedInFlight || hasBulkExport }),
      headers,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A token with SMART scopes, of version 1 or 2, such as `user/*.read` or `patient/Goal.rs`.',
        },
      },
    },
  };
};
