import { z } from 'zod';
import type { Environment } from '../environment.ts';
import { inFull } from '../fhir/date-time.ts';
import {
  type ForeignConcept,
  type ForeignReading,
  firstMeaning,
  foreign,
  foreignConcept,
  foreignIdOf,
  foreignReading,
  referredIn,
  type SaidBesides,
} from '../fhir/foreign.ts';
import type { Act } from '../records/change.ts';
import { categories, orderKinds } from './categories.ts';
import type { OrderBody, OrderRecord } from './model.ts';

/** What became of the order in each of FHIR's states that has an order here. */
const acts = {
  draft: () => ({}),
  active: (act: Act) => ({ committed: { ...act, order: 0 } }),
  completed: (act: Act) => ({ ...acts.active(act), completed: act }),
  'entered-in-error': (act: Act) => ({ ...acts.active(act), enteredInError: act }),
};

/** The kind of order that the categories name. */
const kindIn = (concepts: readonly ForeignConcept[]) =>
  firstMeaning(concepts, 'ServiceRequest.category', ({ system, code }) =>
    orderKinds.find((kind) => categories[kind].system === system && categories[kind].code === code),
  );

const loincIn = ({ coding = [], text }: ForeignConcept): OrderBody['code']['coding'] =>
  coding.flatMap(({ system, code, display = text }) =>
    system === 'http://loinc.org' && code !== undefined ? [{ system, code, display }] : [],
  );

const foreignServiceRequest = z.object({
  id: foreign.id,
  status: z.enum(Object.keys(acts) as (keyof typeof acts)[]),
  intent: z.literal('order'),
  doNotPerform: z.literal(false).optional(),
  category: z.array(foreignConcept).refine((concepts) => kindIn(concepts).read !== undefined),
  code: foreignConcept.refine((concept) => loincIn(concept).length > 0),
  subject: foreignIdOf('Patient'),
  occurrencePeriod: foreign.period.optional(),
  occurrenceDateTime: foreign.dateTime.optional(),
  authoredOn: foreign.dateTime,
  requester: foreign.reference.optional(),
  reasonReference: z.array(foreign.reference).optional(),
});

/** The order that derives to the request of another system. Other states and kinds of order have none that comes near. */
export const serviceRequestFromFhir = ({
  now,
}: Pick<Environment, 'now'>): ForeignReading<OrderRecord & SaidBesides> =>
  foreignReading(foreignServiceRequest, 'ServiceRequest', (request) => {
    const act = { at: now(), by: null };
    const { status, occurrenceDateTime: occurrence } = request;
    const requester = referredIn('ServiceRequest.requester', 'Practitioner', request.requester);
    const reasons = (request.reasonReference ?? []).map((sent, at) =>
      referredIn(`ServiceRequest.reasonReference[${at}]`, 'Condition', sent),
    );
    const { start, end } = request.occurrencePeriod ?? { start: occurrence, end: occurrence };
    const { read: kind = 'referral', faults } = kindIn(request.category);
    const body: OrderBody = {
      kind,
      code: { coding: loincIn(request.code) },
      occurrencePeriod: start === undefined && end === undefined ? undefined : { start, end },
      authoredOn: inFull(request.authoredOn),
      requesterId: requester.read[0]?.id,
      reasonConditionIds: reasons.flatMap(({ read }) => read.map(({ id }) => id)),
    };
    const command = { body, stagedAt: act.at, ...acts[status](act) };
    return {
      read: {
        isInError: status === 'entered-in-error',
        practitioners: requester.read,
        id: request.id,
        patientId: request.subject,
        commands: [command],
      },
      faults: [...faults, ...requester.faults, ...reasons.flatMap((reason) => reason.faults)],
    };
  });
