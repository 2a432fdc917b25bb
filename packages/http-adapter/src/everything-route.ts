import type { ParameterDescription, ReadOptions } from '@clinical-records/core';
import type { Route } from './routes.ts';
import type { ServedRecords } from './served-records.ts';

const text = { type: 'string', minLength: 1 } as const;
const count = { type: 'integer', minimum: 0 } as const;

const parameters: readonly ParameterDescription[] = [
  { name: '_type', description: 'Types of resources, with commas between them.', schema: text },
  {
    name: '_since',
    description: 'Only resources of the chart that were written then or later.',
    schema: text,
  },
  {
    name: '_count',
    description: 'The most resources of a page: at most 100. Without it, all at once.',
    schema: count,
  },
  { name: '_offset', description: 'How many resources are before the page.', schema: count },
].map((one) => ({ ...one, searchType: null }));

/** Reads a whole chart. Source: FHIR R4, Patient, "$everything", and docs/http-interface.md#everything. */
export const createEverythingRoute = (
  { everything }: ServedRecords['exporter'],
  readReferenced: ReadOptions['readReferenced'],
): Route => ({
  type: 'Patient',
  level: 'everything',
  method: 'GET',
  interaction: 'operation',
  bodyFormat: 'nothing',
  errorTags: ['InvalidRequest', 'NotFound', 'TooCostly'],
  parameters,
  run: (request) =>
    everything(request.id, request.parameters, { ...request, base: '../../', readReferenced }),
});
