import { createChartSection } from '../chart/chart-section.ts';
import type { ChartRecord } from '../chart/command.ts';
import { moveRecord } from '../chart/move-record.ts';
import { omitChartReferences } from '../chart/omit-chart-references.ts';
import { readReports } from '../records/read-reports.ts';
import { createReadableResources, type ReadableResources } from '../records/readable-resources.ts';
import type { ResourceDefinition } from '../resource-definition.ts';
import { defineOrderCommands } from './commands.ts';
import { serviceRequestFacts } from './facts.ts';
import { createServiceRequestImporter } from './importer.ts';
import {
  type OrderCommandBody,
  type ServiceRequest,
  serviceRequest as serviceRequestSchema,
} from './model.ts';
import { defineServiceRequestRecord } from './record-definition.ts';
import type { ServiceRequestSearch } from './search-parameters.ts';

export const serviceRequest: ResourceDefinition<
  'ServiceRequest',
  'serviceRequests',
  ServiceRequest,
  ReadableResources<ServiceRequest, ServiceRequestSearch>
> = {
  ...serviceRequestFacts,
  name: 'serviceRequests',
  schema: serviceRequestSchema,
  requests: {},
  defineRecord: defineServiceRequestRecord,
  createService: (environment, { includes }) =>
    createReadableResources<ServiceRequest>(environment, serviceRequestFacts, includes),
  reports: { ...readReports('ServiceRequest'), asJson: readReports('ServiceRequest') },
  writes: [],
  createCommands: (environment, directory) =>
    createChartSection(environment, directory, defineOrderCommands(environment)),
  defineImport: (environment) => ({ importResource: createServiceRequestImporter(environment) }),
  move: (record: ChartRecord<OrderCommandBody>, { patientId }) => ({
    state: moveRecord(record, patientId, (body) => ({
      ...body,
      elements: omitChartReferences(body.elements),
      reasonConditionIds: undefined,
    })),
    sideChanges: [],
  }),
};
