import { z } from 'zod';
import { stagedCommand } from '../chart/steps.ts';
import type { Environment } from '../environment.ts';
import { inFull } from '../fhir/date-time.ts';
import {
  type ForeignConcept,
  type ForeignReading,
  foreign,
  foreignConcept,
  foreignId,
  foreignIdIn,
  foreignReading,
  foreignReferenceTo,
  leftOut,
  type NamesPractitioners,
} from '../fhir/foreign.ts';
import { categories, orderKinds } from './categories.ts';
import { type OrderBody, type OrderRecord, serviceRequestStatuses } from './model.ts';

/** The kinds of order that the category at a place names, and where each of them stands. */
const kindsIn = ({ coding = [] }: ForeignConcept, at: number) =>
  coding.flatMap(({ system, code }, nth) => {
    const kind = orderKinds.find((one) => categories[one].system === system && categories[one].code === code);
    return kind === undefined ? [] : [{ kind, element: `ServiceRequest.category[${at}].coding[${nth}]` }];
  });

const loincIn = ({ coding = [], text }: ForeignConcept): OrderBody['code']['coding'] =>
  coding.flatMap(({ system, code, display = text }) =>
    system === 'http://loinc.org' && code !== undefined ? [{ system, code, display }] : [],
  );

const foreignServiceRequest = z.object({
  id: foreign.id,
  status: z.enum(serviceRequestStatuses),
  intent: z.literal('order'),
  doNotPerform: z.literal(false).optional(),
  category: z.array(foreignConcept).refine((concepts) => concepts.flatMap(kindsIn).length > 0),
  code: foreignConcept.refine((concept) => loincIn(concept).length > 0),
  subject: foreignReferenceTo('Patient'),
  occurrencePeriod: foreign.period.optional(),
  occurrenceDateTime: foreign.dateTime.optional(),
  authoredOn: foreign.dateTime,
  requester: foreign.reference.optional(),
  reasonReference: z.array(foreign.reference).optional(),
});

/** The order that derives to the request of another system. Other states and kinds of order have none that comes near. */
export const serviceRequestFromFhir = ({
  now,
}: Pick<Environment, 'now'>): ForeignReading<OrderRecord & NamesPractitioners> =>
  foreignReading(foreignServiceRequest, 'ServiceRequest', (request) => {
    const act = { at: now(), by: null };
    const { status, occurrenceDateTime: occurrence } = request;
    const requesterId = foreignId('Practitioner', request.requester);
    const reasons = (request.reasonReference ?? []).map((sent) => foreignId('Condition', sent));
    const { start, end } = request.occurrencePeriod ?? { start: occurrence, end: occurrence };
    const named = request.category.map(kindsIn);
    const kind = named.flat()[0]?.kind ?? 'referral';
    const body: OrderBody = {
      kind,
      code: { coding: loincIn(request.code) },
      occurrencePeriod: start === undefined && end === undefined ? undefined : { start, end },
      authoredOn: inFull(request.authoredOn),
      requesterId,
      reasonConditionIds: reasons.filter((reason) => reason !== undefined),
    };
    const command = {
      ...stagedCommand(body, act.at),
      committed: status === 'draft' ? null : { ...act, order: 0 },
      completed: status === 'completed' ? act : null,
      enteredInError: status === 'entered-in-error' ? act : null,
    };
    return {
      read: {
        practitioners:
          requesterId === undefined ? [] : [{ id: requesterId, element: 'ServiceRequest.requester' }],
        id: request.id,
        patientId: foreignIdIn(request.subject),
        commands: [command],
      },
      faults: [
        ...named.flatMap((kinds, at) =>
          kinds.length === 0
            ? [leftOut(`ServiceRequest.category[${at}]`)]
            : kinds.filter((one) => one.kind !== kind).map(({ element }) => leftOut(element)),
        ),
        ...(request.requester !== undefined && requesterId === undefined
          ? [leftOut('ServiceRequest.requester')]
          : []),
        ...reasons.flatMap((reason, at) =>
          reason === undefined ? [leftOut(`ServiceRequest.reasonReference[${at}]`)] : [],
        ),
      ],
    };
  });
