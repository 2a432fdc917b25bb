import { z } from 'zod';
import type { ChartRecord } from '../chart/command.ts';
import { outputCoding, outputConcept } from '../fhir/coding.ts';
import { dateTime } from '../fhir/date-time.ts';
import { code, text } from '../fhir/element.ts';
import type { BodyRule } from '../fhir/issues.ts';
import { id, outputNamedReference, outputReference } from '../fhir/reference.ts';
import type { DeepReadonly, SchemaOutput } from '../fhir/schema-output.ts';
import { categories, orderKinds } from './categories.ts';

const loincSystem = z.literal('http://loinc.org');

const loinc = z.strictObject({ system: loincSystem, code, display: text.optional() });

export const orderCommand = z.strictObject({
  kind: z.enum(orderKinds),
  id: id.optional(),
  patientId: id,
  code: z.strictObject({ coding: z.array(loinc).min(1) }),
  occurrencePeriod: z
    .strictObject({ start: dateTime.optional(), end: dateTime.optional() })
    .refine(({ start, end }) => start !== undefined || end !== undefined, {
      params: { rule: 'empty' satisfies BodyRule },
    })
    .optional(),
  /** When it was authored; when it is staged, if this is not said. */
  authoredOn: dateTime.optional(),
  /** The practitioner who orders. By default, the one who commits the order. */
  requesterId: id.optional(),
  reasonConditionIds: z.array(id).optional(),
});

/** An imaging order, a lab order or a referral as a host gives it. */
export interface OrderCommand extends DeepReadonly<z.infer<typeof orderCommand>> {}

/** An order as it is stored. */
export type OrderCommandBody = Omit<OrderCommand, 'id' | 'patientId' | 'authoredOn'> & {
  readonly authoredOn: string;
  /** The name of the requester when the order was staged, where that is known. */
  readonly requesterDisplay?: string | undefined;
};

/** The order that one request derives from. */
export type OrderRecord = ChartRecord<OrderCommandBody>;

export const serviceRequestStatuses = ['active', 'completed', 'draft', 'entered-in-error'] as const;

const category = z.union(
  orderKinds.map((kind) => {
    const { system, code: ofKind, display } = categories[kind];
    return z.object({ system: z.literal(system), code: z.literal(ofKind), display: z.literal(display) });
  }),
);

export const serviceRequest = z.object({
  resourceType: z.literal('ServiceRequest'),
  id: z.string(),
  status: z.enum(serviceRequestStatuses),
  intent: z.literal('order'),
  category: z.array(outputConcept(category)).describe('Imaging, laboratory work or a referral.'),
  code: outputConcept(outputCoding.extend({ system: loincSystem })).describe('The requested service.'),
  subject: z.object(outputReference('Patient')),
  occurrencePeriod: z
    .object({ start: dateTime.optional(), end: dateTime.optional() })
    .exactOptional()
    .describe('When it is to be done.'),
  authoredOn: dateTime,
  requester: z.object(outputNamedReference('Practitioner')).exactOptional(),
  reasonReference: z.array(z.object(outputReference('Condition'))).exactOptional(),
});

/** An order: imaging, laboratory work or a referral. Source: docs/http-interface.md#servicerequest. */
export interface ServiceRequest extends SchemaOutput<typeof serviceRequest> {}
