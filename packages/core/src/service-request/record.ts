import {
  type CommandState,
  type CommandStatus,
  deriveStatusReason,
  referToAuthor,
  statusOf,
} from '../chart/command.ts';
import { defineChartRecord } from '../chart/command-records.ts';
import type { Environment } from '../environment.ts';
import { usCoreProfile } from '../fhir/bundle.ts';
import { toCodedConcept } from '../fhir/coding.ts';
import { parseInterval, type TimeZone } from '../fhir/date-time.ts';
import { createReference, createSignedReference, subjectReferences } from '../fhir/reference.ts';
import type { ResourceFacts } from '../records/definition.ts';
import { withFieldParameters } from '../search/field-parameters.ts';
import { commonParameters, periodInterval, type StoredParameterTable } from '../search/index-entries.ts';
import type { StoredSearchInput } from '../search/search-input.ts';
import type { Interval } from '../store/index-entry.ts';
import {
  categories,
  type OrderCommandBody,
  type OrderRecord,
  orderKinds,
  orderPriorities,
  type ServiceRequest,
  serviceRequestStatuses,
} from './model.ts';

/** From when to when an order is to be done. A timing without limits may be at any time. FHIR R4, Search, 3.1.1.4.7. */
const occurrenceOf = (
  { occurrencePeriod, occurrenceTiming }: ServiceRequest,
  zone: TimeZone,
): readonly Interval[] => {
  if (occurrencePeriod === undefined && occurrenceTiming === undefined) return [];
  const { event = [], repeat } = occurrenceTiming ?? {};
  const events = event.flatMap((time) => parseInterval(time, zone) ?? []);
  const period = occurrencePeriod ?? repeat?.boundsPeriod;
  const intervals =
    events.length > 0 && period === undefined ? events : [...events, periodInterval(period ?? {}, zone)];
  return [
    {
      from: Math.min(...intervals.map(({ from }) => from)),
      until: Math.max(...intervals.map(({ until }) => until)),
    },
  ];
};

/** Source: docs/http-interface.md#servicerequest. */
export const serviceRequestParameters = {
  /** The id of the resource. */
  _id: { kind: 'id' },
  /** When the last version was written, as `meta.lastUpdated` says: a time, with a prefix such as `ge` or without. */
  _lastUpdated: { kind: 'lastUpdated' },
  /** The patient: `Patient/<id>`, or the id. */
  patient: { kind: 'patient' },
  /** The same as `patient`. */
  subject: { kind: 'patient' },
  /** When it was authored: a date or a time, with a prefix such as `ge` or without. */
  authored: { kind: 'date', isSingle: true, at: 'authoredOn' },
  /** The status of the order. */
  status: {
    kind: 'token',
    at: 'status',
    system: 'http://hl7.org/fhir/request-status',
    codes: serviceRequestStatuses,
    unusedCodes: ['on-hold', 'revoked', 'unknown'],
  },
  /** The classification of the order by SNOMED CT: imaging, laboratory work or a referral. */
  category: {
    kind: 'token',
    at: 'category',
    knownCodes: orderKinds.map((kind) => categories[kind].code),
  },
  /** The requested service, also by a further coding: `code`, `system|code`, `system|` or `|code`. */
  code: { kind: 'token', at: ['code', 'code.extension.valueCoding'] },
  /** The number under which it was ordered together with others: `system|value`, `value` or `system|`. */
  requisition: { kind: 'token', at: 'requisition' },
  /** The practitioner who ordered it: `Practitioner/<id>`, or the id. */
  requester: { kind: 'reference', at: 'requester', types: ['Practitioner'] },
  /** The encounter in which it was ordered: `Encounter/<id>`, or the id. */
  encounter: { kind: 'reference', at: 'encounter', types: ['Encounter'] },
  /** Always `order`. */
  intent: {
    kind: 'fixed',
    system: 'http://hl7.org/fhir/request-intent',
    codes: ['order'],
    unusedCodes: [
      'proposal',
      'plan',
      'directive',
      'original-order',
      'reflex-order',
      'filler-order',
      'instance-order',
      'option',
    ],
  },
  /** How urgent it is. */
  priority: {
    kind: 'token',
    at: 'priority',
    system: 'http://hl7.org/fhir/request-priority',
    codes: orderPriorities,
  },
  /** When it is to be done: a date or a time, with a prefix such as `ge` or without. */
  occurrence: { kind: 'date', isSingle: true, at: occurrenceOf, version: 1 },
  ...commonParameters(usCoreProfile('ServiceRequest')),
} as const satisfies StoredParameterTable<ServiceRequest>;

/** The search parameters of orders. Source: docs/http-interface.md#servicerequest. */
export interface ServiceRequestSearch extends StoredSearchInput<typeof serviceRequestParameters> {}

export const serviceRequestFacts: ResourceFacts<'ServiceRequest', ServiceRequest> = {
  type: 'ServiceRequest',
  initial: 'S',
  profile: usCoreProfile('ServiceRequest'),
  inError: 'status',
  conforms: () => true,
  parameters: serviceRequestParameters,
  references: {
    ...subjectReferences,
    encounter: ['encounter'],
    performer: ['performer'],
    requester: ['requester'],
  },
  elements: {
    mandatory: ['status', 'intent', 'code', 'subject'],
    summary: [
      'identifier',
      'instantiatesCanonical',
      'instantiatesUri',
      'basedOn',
      'replaces',
      'requisition',
      'category',
      'priority',
      'orderDetail',
      'quantity[x]',
      'encounter',
      'occurrence[x]',
      'asNeeded[x]',
      'authoredOn',
      'requester',
      'performerType',
      'performer',
      'locationCode',
      'locationReference',
      'reasonCode',
      'reasonReference',
      'specimen',
      'bodySite',
      'patientInstruction',
    ],
  },
};

const statusByCommandStatus = {
  staged: 'draft',
  committed: 'active',
  completed: 'completed',
  // A draft could be read, so it goes on to be read.
  discarded: 'entered-in-error',
  'entered-in-error': 'entered-in-error',
} as const satisfies Record<CommandStatus, ServiceRequest['status']>;

const referToRequester = ({ body, committed }: CommandState<OrderCommandBody>) => {
  if (body.requesterId !== undefined || body.requesterDisplay !== undefined)
    return createSignedReference('Practitioner', body.requesterId, body.requesterDisplay);
  // A state as it is stored has null for a step that has not happened.
  return committed == null ? undefined : referToAuthor(committed);
};

/** The request that derives from an order, from the moment it is staged. Source: docs/http-interface.md#servicerequest. */
export const deriveServiceRequest =
  (extensionBase: string) =>
  ({ id, patientId, commands: [order] }: OrderRecord): ServiceRequest | null => {
    if (order === undefined) return null;
    const { kind, code, occurrencePeriod, authoredOn, reasonConditionIds = [], elements } = order.body;
    const requester = referToRequester(order);
    const reason = deriveStatusReason(extensionBase, order);
    return {
      resourceType: 'ServiceRequest',
      id,
      status: statusByCommandStatus[statusOf(order)],
      ...(reason !== undefined && { _status: reason }),
      intent: 'order',
      category: [{ coding: [categories[kind]] }],
      code: toCodedConcept(extensionBase, code),
      subject: createReference('Patient', patientId),
      ...(occurrencePeriod !== undefined && { occurrencePeriod }),
      authoredOn,
      ...(requester !== undefined && { requester }),
      ...(reasonConditionIds.length > 0 && {
        reasonReference: reasonConditionIds.map((condition) => createReference('Condition', condition)),
      }),
      ...elements,
    };
  };

export const defineServiceRequestRecord = ({
  zone,
  extensionBase,
  fields,
}: Pick<Environment, 'zone' | 'extensionBase' | 'fields'>) =>
  defineChartRecord(
    withFieldParameters(serviceRequestFacts, fields),
    deriveServiceRequest(extensionBase),
    zone,
  );
