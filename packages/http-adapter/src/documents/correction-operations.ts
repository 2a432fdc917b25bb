import type { InterfaceDescription, JsonSchema } from '@clinical-records/core/adapter';
import { type CorrectionKind, correctionType, scopesFor } from '../access/scopes.ts';
import type { Route } from '../routes/route.ts';
import { contentOf, headerRefs, idempotencyKey, preferences, schemaRef } from './parameters.ts';
import { errorResponsesOf, type ServedOptions, writeResponseOf } from './responses.ts';

const summaries = {
  move: ['Move a record to the chart of another patient', 'Show what a move would leave behind'],
  merge: ['Merge a patient into another one', 'Count what a merge would move'],
} as const satisfies Record<CorrectionKind, readonly [write: string, preview: string]>;

const responseOf = (schema: string, description: string) => ({
  200: { description, content: contentOf(schemaRef(`${correctionType}.${schema}`)), headers: headerRefs() },
});

const pathParameter = (name: string, description: string) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', minLength: 1 },
});

const queryParametersOf = ({ properties }: JsonSchema) =>
  Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, schema]) => ({
    name,
    in: 'query',
    required: true,
    schema,
  }));

const describeKind = (
  kind: CorrectionKind,
  { method }: Route,
  { corrections }: InterfaceDescription,
  served: ServedOptions,
) => {
  const [write, preview] = summaries[kind];
  if (method === 'GET')
    return {
      operationId: `preview${kind === 'move' ? 'Move' : 'Merge'}`,
      summary: preview,
      description: 'Nothing is written. The versions are those that the correction names.',
      parameters: queryParametersOf(corrections[`${kind}Preview`].parameters),
      responses: responseOf(`${kind}-preview`, 'The preview'),
    };
  return {
    operationId: kind === 'move' ? 'moveToPatient' : 'mergePatients',
    summary: write,
    description: 'It is refused if a version is not the one that a preview has shown.',
    parameters: [idempotencyKey, preferences],
    requestBody: { required: true, content: contentOf(schemaRef(`${correctionType}.${kind}`)) },
    responses: { 200: writeResponseOf(correctionType, served) },
  };
};

const describeRoute = (route: Route, description: InterfaceDescription, served: ServedOptions) =>
  route.level === 'correctionsOf'
    ? {
        operationId: 'readCorrections',
        summary: 'Read the corrections of a resource or a patient',
        description: 'Oldest first: those all of whose patients the sender may see.',
        parameters: [
          pathParameter('resourceType', 'Type of the resource, or `Patient`.'),
          pathParameter('id', 'Id of the resource or of the patient.'),
        ],
        responses: responseOf('list', 'The corrections'),
      }
    : describeKind(route.level as CorrectionKind, route, description, served);

/** Describes a route of corrections as an operation of OpenAPI. */
export const correctionOperationOf = (
  route: Route,
  interfaceDescription: InterfaceDescription,
  served: ServedOptions,
) => {
  const { responses, description, ...operation } = describeRoute(route, interfaceDescription, served);
  const scopes = scopesFor(route.type, route.interaction);
  return {
    ...operation,
    tags: [route.type],
    description: `${description}\n\nNeeds one of the scopes ${scopes.map((scope) => `\`${scope}\``).join(', ')}. No \`*\` stands for the type.`,
    security: scopes.map((scope) => ({ bearer: [scope] })),
    responses: { ...responses, ...errorResponsesOf(route, served) },
  };
};

/** The schemas of corrections, by their names in the document. */
export const correctionSchemasOf = ({
  corrections,
}: InterfaceDescription): Readonly<Record<string, JsonSchema>> => ({
  [correctionType]: corrections.correction,
  'Correction.move': corrections.move,
  'Correction.merge': corrections.merge,
  'Correction.move-preview': corrections.movePreview.result,
  'Correction.merge-preview': corrections.mergePreview.result,
  'Correction.list': corrections.corrections,
});
