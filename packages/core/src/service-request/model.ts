import { z } from 'zod';
import type { ChartRecord } from '../chart/command.ts';
import type { CodeableConcept } from '../fhir/coding.ts';
import { dateTime } from '../fhir/date-time.ts';
import { text } from '../fhir/element.ts';
import { id, type Reference } from '../fhir/reference.ts';
import { orderKinds, type serviceRequestStatuses } from './categories.ts';

const loinc = z.strictObject({ system: z.literal('http://loinc.org'), code: text, display: text.optional() });

export const orderCommand = z.strictObject({
  kind: z.enum(orderKinds),
  id: id.optional(),
  patientId: id,
  code: z.strictObject({ coding: z.array(loinc).min(1) }),
  occurrencePeriod: z.strictObject({ start: dateTime.optional(), end: dateTime.optional() }).optional(),
  /** When it was authored; when it is staged, if this is not said. */
  authoredOn: dateTime.optional(),
  /** Who orders; who commits it, if this is not said. */
  requesterId: id.optional(),
  reasonConditionIds: z.array(id).optional(),
});

/** An imaging order, a lab order or a referral as a host gives it. */
export type OrderCommand = z.infer<typeof orderCommand>;

export type OrderBody = Omit<OrderCommand, 'id' | 'patientId' | 'authoredOn'> & {
  readonly authoredOn: string;
};

export type OrderRecord = ChartRecord<OrderBody>;

/** Source: interface, "ServiceRequest". */
export type ServiceRequest = {
  readonly resourceType: 'ServiceRequest';
  readonly id: string;
  readonly status: (typeof serviceRequestStatuses)[number];
  readonly intent: 'order';
  readonly category: readonly CodeableConcept[];
  readonly code: CodeableConcept;
  readonly subject: Reference<'Patient'>;
  readonly occurrencePeriod?: { readonly start?: string | undefined; readonly end?: string | undefined };
  readonly authoredOn: string;
  readonly requester?: Reference<'Practitioner'>;
  readonly reasonReference?: readonly Reference<'Condition'>[];
};
