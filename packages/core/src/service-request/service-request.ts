import * as E from 'fp-ts/lib/Either.js';
import { createChartSection } from '../chart/chart-section.ts';
import type { ChartRecord } from '../chart/command.ts';
import type { CommandDefinition } from '../chart/command-definition.ts';
import { startRecord } from '../chart/command-records.ts';
import { moveRecord, omitChartReferences } from '../chart/move-record.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { displayOf } from '../directory/model.ts';
import type { Environment } from '../environment.ts';
import type { Outcome } from '../errors.ts';
import { withFurtherCodings } from '../fhir/coding.ts';
import { sentCommonElements, storeCommonElements } from '../fhir/common-elements.ts';
import { formatInstant, toFullPrecision } from '../fhir/date-time.ts';
import { addNames, createChartImporter, requirePatient } from '../importer/chart-import.ts';
import type { ResourceImporter } from '../importer/import-definition.ts';
import {
  createReadableResources,
  createReadTables,
  type ReadableResources,
} from '../records/resource-reads.ts';
import { createVersionCheck } from '../records/transact.ts';
import type { ResourceDefinition } from '../resource-definition.ts';
import { withFieldParameters } from '../search/field-parameters.ts';
import {
  type OrderCommand,
  type OrderCommandBody,
  orderCommandSchema,
  orderKinds,
  type ServiceRequest,
  serviceRequestSchema,
  storeOrderElements,
} from './model.ts';
import { defineServiceRequestRecord, type ServiceRequestSearch, serviceRequestFacts } from './record.ts';
import { requireOrderedPeriod } from './rules.ts';
import {
  continueOrder,
  createServiceRequestSourceReader,
  nameRequester,
  otherVersions,
  toSourceOrder,
} from './source.ts';

/** The name of the practitioner whom an order names as its requester, if it names one. */
const requireRequesterDisplay = async (
  directory: DirectoryRecords,
  requesterId: string | undefined,
): Outcome<string | undefined> => {
  if (requesterId === undefined) return E.right(undefined);
  const requester = await directory.require('Practitioner', requesterId, 'requesterId');
  return E.isLeft(requester) ? requester : E.right(displayOf(requester.right.state));
};

/** Imaging orders, lab orders and referrals: each is one request. */
const defineOrderCommands = ({
  newId,
  ...environment
}: Pick<Environment, 'newId' | 'zone' | 'extensionBase' | 'fields'>): CommandDefinition<
  OrderCommand,
  OrderCommandBody
> => {
  const { zone } = environment;
  const recordDefinition = defineServiceRequestRecord(environment);
  return {
    recordDefinition,
    commandKinds: orderKinds,
    steps: ['commit', 'complete', 'reopen', 'discard', 'enterInError'],
    schema: orderCommandSchema,
    checkStep: () => [],
    closes: () => false,
    toInput: ({ patientId, common }, { kind, elements, requesterDisplay: _, ...order }) => ({
      kind,
      patientId,
      ...sentCommonElements(common),
      ...order,
      ...elements,
    }),
    place: async (directory, { id, patientId, ...order }, { at }) => {
      const patient = await directory.require('Patient', patientId, 'patientId');
      if (E.isLeft(patient)) return patient;
      const ordered = requireOrderedPeriod(order.occurrencePeriod, { zone, element: 'occurrencePeriod' });
      if (E.isLeft(ordered)) return ordered;
      const requesterDisplay = await requireRequesterDisplay(directory, order.requesterId);
      if (E.isLeft(requesterDisplay)) return requesterDisplay;
      const record = await startRecord({ store: directory.store, newId }, recordDefinition, id);
      if (E.isLeft(record)) return record;
      const { kind, code, occurrencePeriod, requesterId, reasonConditionIds } = order;
      const body: OrderCommandBody = {
        kind,
        code,
        occurrencePeriod,
        authoredOn: toFullPrecision(order.authoredOn ?? formatInstant(at)),
        requesterId,
        requesterDisplay: requesterDisplay.right,
        reasonConditionIds,
        elements: storeOrderElements(order),
      };
      return E.right({
        record: record.right,
        patientId,
        body,
        common: storeCommonElements(order),
        sideChanges: [],
        versionChecks: [createVersionCheck({ type: 'Patient' }, patient.right)],
      });
    },
  };
};

const createOrderReader = (environment: Environment): ReturnType<typeof createServiceRequestSourceReader> => {
  const read = createServiceRequestSourceReader(environment);
  return (resource) => {
    const order = read(resource);
    if (E.isLeft(order)) return order;
    const [command] = order.right.value.commands;
    const element = 'ServiceRequest.occurrencePeriod';
    const ordered = requireOrderedPeriod(command?.body.occurrencePeriod, { zone: environment.zone, element });
    return E.isLeft(ordered) ? ordered : order;
  };
};

/** Imports orders into the chart. */
const createServiceRequestImporter = (environment: Environment): ResourceImporter =>
  createChartImporter(environment)({
    facts: serviceRequestFacts,
    event: {
      of: ({ code, authoredOn }: ServiceRequest) => ({ concept: withFurtherCodings(code), date: authoredOn }),
    },
    recordDefinition: defineServiceRequestRecord(environment),
    read: createOrderReader(environment),
    toSource: toSourceOrder,
    prepare: requirePatient('ServiceRequest.subject'),
    continueFrom: continueOrder,
    complete: addNames(nameRequester),
  });

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
  fieldElements: ['code', 'occurrencePeriod', 'requisition'],
  isEnd: (before, { status }) => before?.status === 'active' && status === 'completed',
  defineRecord: defineServiceRequestRecord,
  createService: (environment, { includes }) =>
    createReadableResources<ServiceRequest>(
      environment,
      withFieldParameters(serviceRequestFacts, environment.fields),
      includes,
    ),
  functions: createReadTables('ServiceRequest'),
  commandSchema: orderCommandSchema,
  createCommands: (environment) => createChartSection(environment, defineOrderCommands(environment)),
  people: ['requester', 'performer', 'note'],
  otherVersions,
  defineImport: (environment) => ({
    importResource: createServiceRequestImporter(environment),
    isKnownByIdentifier: true,
  }),
  move: (record: ChartRecord<OrderCommandBody>, { patientId }) => ({
    state: moveRecord(record, patientId, (body) => ({
      ...body,
      elements: omitChartReferences(body.elements),
      reasonConditionIds: undefined,
    })),
    sideChanges: [],
  }),
};
