import { type CommandState, type CommandStatus, referToAuthor, statusOf } from '../chart/command.ts';
import { toCodedConcept } from '../fhir/coded-concept.ts';
import { createReference, createSignedReference } from '../fhir/reference.ts';
import { categories } from './categories.ts';
import type { OrderCommandBody, OrderRecord, ServiceRequest } from './model.ts';

const statusByCommandStatus = {
  staged: 'draft',
  committed: 'active',
  completed: 'completed',
  'entered-in-error': 'entered-in-error',
} as const satisfies Record<CommandStatus, ServiceRequest['status']>;

const referToRequester = ({ body, committed }: CommandState<OrderCommandBody>) => {
  if (body.requesterId !== undefined)
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
    return {
      resourceType: 'ServiceRequest',
      id,
      status: statusByCommandStatus[statusOf(order)],
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
