import type { ExportPath } from '../request/export-path.ts';
import { headerRefs, textSchema } from './parameters.ts';
import { errorRefs } from './responses.ts';

const describeHeader = (description: string) => ({ description, schema: textSchema });

const commonErrors = ['Unauthenticated', 'Forbidden', 'NotSupported', 'Unexpected', 'StoreFailure'] as const;

const queryParameter = (name: string, description: string) => ({
  name,
  in: 'query',
  description,
  schema: textSchema,
});

const exportOperation = (operationId: string, summary: string) => ({
  tags: ['$export'],
  operationId,
  summary,
  description: 'Needs scopes of a system for the types, such as `system/*.read`.',
});

const acceptedResponse = {
  202: {
    description: 'The export has begun',
    headers: { ...headerRefs(), 'Content-Location': describeHeader('The URL for status requests.') },
  },
};

const textInPath = (name: string) => ({ name, in: 'path', required: true, schema: textSchema });

const kickOffOf = (
  operationId: string,
  summary: string,
  ofGroup: readonly ReturnType<typeof textInPath>[] = [],
) => ({
  ...exportOperation(operationId, summary),
  parameters: [
    ...ofGroup,
    { name: 'Prefer', in: 'header', required: true, description: '`respond-async`', schema: textSchema },
    queryParameter('_type', 'Types of resources, with commas between them.'),
    queryParameter('_since', 'Only resources that have changed since this instant.'),
    queryParameter('_outputFormat', '`application/fhir+ndjson`'),
  ],
  responses: {
    ...acceptedResponse,
    ...errorRefs(
      'InvalidRequest',
      ...commonErrors,
      ...(ofGroup.length > 0 ? (['NotFound'] as const) : []),
      'TooManyRequests',
    ),
  },
});

const kickOffByParametersOf = (...kickOff: Parameters<typeof kickOffOf>) => ({
  ...kickOffOf(...kickOff),
  requestBody: {
    required: true,
    content: {
      'application/fhir+json': { schema: { type: 'object', description: 'A Parameters resource.' } },
    },
  },
});

const ofExport = [textInPath('export')];

/** The paths of `$export`, without the scopes that they need. Source: FHIR Bulk Data Access 2.0.0. */
const bulkExportPaths = {
  '/$export': {
    get: kickOffOf('export', 'Export all resources'),
    post: kickOffByParametersOf('exportByParameters', 'Export all resources, by a Parameters resource'),
  },
  '/Patient/$export': {
    get: kickOffOf('exportPatients', 'Export the charts of all patients'),
    post: kickOffByParametersOf('exportPatientsByParameters', 'Export the charts of some patients'),
  },
  '/Group/{id}/$export': {
    get: kickOffOf('exportGroup', 'Export the charts of the patients of a group', [textInPath('id')]),
    post: kickOffByParametersOf('exportGroupByParameters', 'Export the charts of some patients of a group', [
      textInPath('id'),
    ]),
  },
  '/$export/{export}': {
    get: {
      ...exportOperation('readExport', 'Read the status of an export'),
      parameters: ofExport,
      responses: {
        200: {
          description: 'The manifest',
          headers: { ...headerRefs(), Expires: describeHeader('When the files are removed.') },
          content: { 'application/json': { schema: { type: 'object' } } },
        },
        202: {
          description: 'The export is running',
          headers: {
            ...headerRefs(),
            'X-Progress': describeHeader('How far it is.'),
            'Retry-After': describeHeader('Seconds until the next request.'),
          },
        },
        ...errorRefs(...commonErrors, 'NotFound'),
      },
    },
    delete: {
      ...exportOperation('deleteExport', 'Stop an export, and remove its files'),
      parameters: ofExport,
      responses: {
        202: { description: 'It is gone', headers: headerRefs() },
        ...errorRefs(...commonErrors, 'NotFound'),
      },
    },
  },
  '/$export/{export}/{file}': {
    get: {
      ...exportOperation('readExportFile', 'Read a file of an export'),
      parameters: [...ofExport, textInPath('file')],
      responses: {
        200: {
          description: 'A resource on each line',
          headers: headerRefs(),
          content: { 'application/fhir+ndjson': { schema: textSchema } },
        },
        ...errorRefs(...commonErrors, 'NotFound'),
      },
    },
  },
} as const satisfies Readonly<Record<ExportPath['template'], object>>;

/** Those that are served, with the scopes for resources of some types. */
export const bulkExportPathsOf = (
  types: readonly string[],
  { hasGroupExport }: { readonly hasGroupExport: boolean },
) => {
  const security = [{ bearer: types.map((type) => `system/${type}.rs`) }];
  return Object.entries(bulkExportPaths)
    .filter(([path]) => hasGroupExport || path !== '/Group/{id}/$export')
    .map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries<object>(operations).map(([method, operation]) => [method, { ...operation, security }]),
      ),
    ]);
};
