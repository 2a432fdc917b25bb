import { errorCategories } from '../errors.ts';
import { headerRefs } from './parameters.ts';

const text = { type: 'string' } as const;

const header = (description: string) => ({ description, schema: text });

const errors = (...names: readonly (keyof typeof errorCategories)[]) =>
  Object.fromEntries(
    names.map((name) => [errorCategories[name].status, { $ref: `#/components/responses/${name}` }]),
  );

const common = ['Unauthenticated', 'Forbidden', 'NotSupported', 'Unexpected', 'StoreFailure'] as const;

const query = (name: string, description: string) => ({ name, in: 'query', description, schema: text });

const operation = (operationId: string, summary: string) => ({
  tags: ['$export'],
  ...{ operationId, summary },
  description: 'Needs scopes of a system for the types, such as `system/*.read`.',
});

const accepted = {
  202: {
    description: 'The export has begun',
    headers: { ...headerRefs(), 'Content-Location': header('The URL for status requests.') },
  },
};

const kickOff = (operationId: string, summary: string) => ({
  ...operation(operationId, summary),
  parameters: [
    { name: 'Prefer', in: 'header', required: true, description: '`respond-async`', schema: text },
    query('_type', 'Types of resources, with commas between them.'),
    query('_since', 'Only resources that have changed since this instant.'),
    query('_outputFormat', '`application/fhir+ndjson`'),
  ],
  responses: { ...accepted, ...errors('InvalidRequest', ...common, 'TooManyRequests') },
});

const byParameters = (operationId: string, summary: string) => ({
  ...kickOff(operationId, summary),
  requestBody: {
    required: true,
    content: {
      'application/fhir+json': { schema: { type: 'object', description: 'A Parameters resource.' } },
    },
  },
});

const pathParameter = (name: string) => ({ name, in: 'path', required: true, schema: text });

const ofExport = [pathParameter('export')];

/** The paths of `$export`, without the scopes that they need. Source: FHIR Bulk Data Access 2.0.0. */
export const bulkExportPaths = {
  '/$export': {
    get: kickOff('export', 'Export all resources'),
    post: byParameters('exportByParameters', 'Export all resources, by a Parameters resource'),
  },
  '/Patient/$export': {
    get: kickOff('exportPatients', 'Export the charts of all patients'),
    post: byParameters('exportPatientsByParameters', 'Export the charts of some patients'),
  },
  '/$export/{export}': {
    get: {
      ...operation('readExport', 'Read the status of an export'),
      parameters: ofExport,
      responses: {
        200: {
          description: 'The manifest',
          headers: { ...headerRefs(), Expires: header('When the files are removed.') },
          content: { 'application/json': { schema: { type: 'object' } } },
        },
        202: {
          description: 'The export is running',
          headers: {
            ...headerRefs(),
            'X-Progress': header('How far it is.'),
            'Retry-After': header('Seconds until the next request.'),
          },
        },
        ...errors(...common, 'NotFound'),
      },
    },
    delete: {
      ...operation('deleteExport', 'Stop an export, and remove its files'),
      parameters: ofExport,
      responses: {
        202: { description: 'It is gone', headers: headerRefs() },
        ...errors(...common, 'NotFound'),
      },
    },
  },
  '/$export/{export}/{file}': {
    get: {
      ...operation('readExportFile', 'Read a file of an export'),
      parameters: [...ofExport, pathParameter('file')],
      responses: {
        200: {
          description: 'A resource on each line',
          headers: headerRefs(),
          content: { 'application/fhir+ndjson': { schema: text } },
        },
        ...errors(...common, 'NotFound'),
      },
    },
  },
} as const;

/** The same, with the scopes for resources of some types. */
export const bulkExportPathsOf = (types: readonly string[]) => {
  const security = [{ bearer: types.map((type) => `system/${type}.rs`) }];
  return Object.entries(bulkExportPaths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries<object>(operations).map(([method, one]) => [method, { ...one, security }]),
    ),
  ]);
};
