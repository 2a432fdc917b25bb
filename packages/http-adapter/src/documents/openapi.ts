import {
  directoryResourceTypes,
  type InterfaceDescription,
  type JsonSchema,
  servedTypes,
} from '@clinical-records/core/adapter';
import packageJson from '../../package.json' with { type: 'json' };
import { commandType, contextsOf, correctionType, isAuditType, permissions } from '../access/scopes.ts';
import { pathTemplateOf } from '../request/request.ts';
import { isResourceRoute, type ResourceRoute, type Route } from '../routes/route.ts';
import { bulkExportPathsOf } from './bulk-export-paths.ts';
import { commandOperationOf, commandSchemasOf } from './command-operations.ts';
import { correctionOperationOf, correctionSchemasOf } from './correction-operations.ts';
import { describeType, headers, parametersOf, requestBodyOf, type TypeDescription } from './parameters.ts';
import {
  errorResponsesFor,
  errorResponsesOf,
  ignoredSchema,
  operationOutcomeSchema,
  type ServedOptions,
  succeededSchema,
  successResponseOf,
  validationVariant,
} from './responses.ts';
import { shareParts } from './share-parts.ts';

const verbs = {
  read: 'Read',
  vread: 'Read a version of',
  history: 'Read the versions of',
  search: 'Search',
  operation: 'Read everything of',
  create: 'Create',
  update: 'Update',
} as const;

const introductionOf = (
  { type, interaction, isValidation }: ResourceRoute,
  { bodies }: TypeDescription,
): string => {
  if (isValidation) return 'Says what the write would be refused for. Nothing is written.\n\n';
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

/** The words that tell two operations apart that have the same interaction. */
const variantOf = ({ level, isValidation }: ResourceRoute) => {
  if (isValidation) return validationVariant;
  if (level === 'search') return { id: 'ByForm', words: ' with a form' };
  return level === 'chart' ? { id: 'OfPatient', words: ' of a patient' } : { id: '', words: '' };
};

/** Describes a route as an operation of OpenAPI. */
const operationOf = (route: ResourceRoute, description: InterfaceDescription, served: ServedOptions) => {
  const resource = describeType(description, route.type);
  const { type, interaction } = route;
  const variant = variantOf(route);
  const scopes = contextsOf(type).map((context) => `${context}/${type}.${permissions[interaction]}`);
  return {
    tags: [type],
    operationId: `${interaction}${type}${variant.id}`,
    summary: `${verbs[interaction]} ${type}${variant.words}`,
    description: `${introductionOf(route, resource)}Needs one of the scopes ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`,
    security: scopes.map((scope) => ({ bearer: [scope] })),
    parameters: parametersOf(route, description),
    ...requestBodyOf(route, resource),
    responses: {
      ...successResponseOf(route, resource, served),
      ...errorResponsesOf(route, served),
    },
  };
};

const { 'X-Warning-Count': _, ...headersWithoutRules } = headers;

const isOwnType = (type: string): boolean => servedTypes.some((served) => served === type);

const apiDescription = `Reads and writes a patient's chart in the style of FHIR R4 and US Core 6.1.

HEAD returns the same as GET, without the body. Every error is an OperationOutcome with one issue for each thing that is wrong.`;

const schemasOf = (
  routes: readonly ResourceRoute[],
  description: InterfaceDescription,
): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries([
    ...[...Map.groupBy(routes, ({ type }) => type)].flatMap(([type, ofType]) => {
      const { resource, bodies } = describeType(description, type);
      const isServed = (name: string) => ofType.some(({ interaction }) => interaction === name);
      return [
        [type, resource],
        ...Object.entries(bodies)
          .filter(([interaction]) => isServed(interaction))
          .map(([interaction, body]) => [`${type}.${interaction}`, body]),
      ];
    }),
    ['Bundle', description.bundle],
    ['HistoryBundle', description.historyBundle],
    ['HistoryEntry', description.historyEntry],
    ['OperationOutcome', operationOutcomeSchema],
    ['Ignored', ignoredSchema],
    ['Succeeded', succeededSchema],
  ]);

/** The operations of some routes, by path and method. */
const pathsOf = <Served extends Route>(
  routes: readonly Served[],
  describe: (route: Served) => object,
): readonly (readonly [path: string, operations: object])[] =>
  Array.from(Map.groupBy(routes, pathTemplateOf), ([path, here]) => [
    path,
    Object.fromEntries(here.map((route) => [route.method.toLowerCase(), describe(route)])),
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
  hasGroupExport,
  ...served
}: ServedOptions & {
  readonly routes: readonly Route[];
  readonly description: InterfaceDescription;
  /** The URL of the interface, or its path. */
  readonly base: string;
  readonly hasBulkExport: boolean;
  readonly hasGroupExport: boolean;
}): Readonly<Record<string, unknown>> => {
  const resourceRoutes = routes.filter(isResourceRoute);
  const correctionRoutes = routes.filter(({ type }) => type === correctionType);
  const commandRoutes = routes.filter((route) => !isResourceRoute(route) && route.type !== correctionType);
  const types = [...new Set(resourceRoutes.map(({ type }) => type))];
  const hasHostTypes = Object.keys(description.resources).some((type) => !isOwnType(type));
  const document = {
    openapi: '3.1.0',
    info: { title: 'Clinical records', version: packageJson.version, description: apiDescription },
    servers: [{ url: base === '' ? '/' : base }],
    tags: [
      ...types.map((name) => ({
        name,
        externalDocs: { url: `https://hl7.org/fhir/R4/${name.toLowerCase()}.html` },
      })),
      ...(commandRoutes.length > 0 ? [{ name: commandType }] : []),
      ...(correctionRoutes.length > 0 ? [{ name: correctionType }] : []),
      ...(hasBulkExport ? [{ name: '$export' }] : []),
    ],
    paths: Object.fromEntries([
      ...pathsOf(resourceRoutes, (route) => operationOf(route, description, served)),
      ...pathsOf(commandRoutes, (route) => commandOperationOf(route, description, served)),
      ...pathsOf(correctionRoutes, (route) => correctionOperationOf(route, description, served)),
      ...(hasBulkExport
        ? bulkExportPathsOf([...directoryResourceTypes, ...Object.keys(description.resources)], {
            hasGroupExport,
          })
        : []),
    ]),
    components: {
      schemas: {
        ...schemasOf(resourceRoutes, description),
        ...(commandRoutes.length > 0 && commandSchemasOf(description)),
        ...(correctionRoutes.length > 0 && correctionSchemasOf(description)),
      },
      responses: errorResponsesFor({ isLimitedInFlight: served.isLimitedInFlight || hasBulkExport }),
      headers: served.hasRules ? headers : headersWithoutRules,
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
  // Without them, nothing would be saved that a reader would not have to look up.
  return hasHostTypes ? shareParts(document) : document;
};
