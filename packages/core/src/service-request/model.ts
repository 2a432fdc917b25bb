import * as z from 'zod';
import type { ChartRecord } from '../chart/command.ts';
import { statusExtensions } from '../chart/command.ts';
import {
  anyConcept,
  type Coding,
  codedOrTextConcept,
  commandConceptOrText,
  outputConcept,
  storedCoding,
} from '../fhir/coding.ts';
import { inputCommonElements, outputCommonElements } from '../fhir/common-elements.ts';
import { dateTime, period } from '../fhir/date-time.ts';
import { list, oneOf, text } from '../fhir/element.ts';
import { identifier } from '../fhir/identifier.ts';
import { quantity, range, ratio, timing } from '../fhir/quantity.ts';
import {
  annotation,
  anyReference,
  elementReference,
  id,
  outputReference,
  outputSignedReference,
} from '../fhir/reference.ts';
import { named, type SchemaOutput, schemaForBase } from '../fhir/schema.ts';
import { createElementStorer } from '../fhir/stored-element.ts';

/** SNOMED CT's classification of each kind of order. Source: docs/http-interface.md#servicerequest. */
export const categories = {
  imagingOrder: { system: 'http://snomed.info/sct', code: '363679005', display: 'Imaging' },
  labOrder: { system: 'http://snomed.info/sct', code: '108252007', display: 'Laboratory procedure' },
  referral: {
    system: 'http://snomed.info/sct',
    code: '386053000',
    display: 'Evaluation procedure (procedure)',
  },
} as const;

export type OrderKind = keyof typeof categories;

export const orderKinds = Object.keys(categories) as readonly OrderKind[];

export const orderPriorities = ['routine', 'urgent', 'asap', 'stat'] as const;

/** The elements of an order that are stored as they were sent. No rule looks at them. FHIR R4, ServiceRequest, 12.15.5. */
export const orderElements = {
  /** How urgent the order is. */
  priority: z.enum(orderPriorities).optional(),
  /** Further instructions on how it is to be done. */
  orderDetail: list(anyConcept).optional(),
  /** How much is ordered. */
  quantityQuantity: quantity.optional(),
  /** How much is ordered, as a ratio. */
  quantityRatio: ratio.optional(),
  /** How much is ordered, as a range. */
  quantityRange: range.optional(),
  /** The encounter in which it was ordered. */
  encounter: elementReference('Encounter').optional(),
  /** When it is to be done, if that is more than once. Instead of an `occurrencePeriod`. */
  occurrenceTiming: timing.optional(),
  /** Whether it is to be done only as needed. */
  asNeededBoolean: z.boolean().optional(),
  /** The condition under which it is to be done. */
  asNeededCodeableConcept: anyConcept.optional(),
  /** The kind of performer that is asked for. */
  performerType: anyConcept.optional(),
  /** The performers that are asked for. */
  performer: list(
    elementReference(
      'Practitioner',
      'PractitionerRole',
      'Organization',
      'CareTeam',
      'HealthcareService',
      'Patient',
      'Device',
      'RelatedPerson',
    ),
  ).optional(),
  /** Where it is to be done, as codes. */
  locationCode: list(anyConcept).optional(),
  /** Where it is to be done. */
  locationReference: list(elementReference('Location')).optional(),
  /** The definitions that it follows: canonical URLs. */
  instantiatesCanonical: list(text).optional(),
  /** The definitions outside of FHIR that it follows: URLs. */
  instantiatesUri: list(text).optional(),
  /** The plans and orders that it fulfils. */
  basedOn: list(elementReference('CarePlan', 'ServiceRequest', 'MedicationRequest')).optional(),
  /** The orders that it replaces. */
  replaces: list(elementReference('ServiceRequest')).optional(),
  /** The number under which it was ordered together with others. */
  requisition: identifier.optional(),
  /** The coverage by which it may be paid. */
  insurance: list(elementReference('Coverage', 'ClaimResponse')).optional(),
  /** The history of the order. */
  relevantHistory: list(elementReference('Provenance')).optional(),
  /** The reasons, as codes. */
  reasonCode: list(anyConcept).optional(),
  /** Other clinical facts that matter for it, of any type. */
  supportingInfo: list(anyReference).optional(),
  /** The specimens that are to be examined. */
  specimen: list(elementReference('Specimen')).optional(),
  /** Where in the body it is to be done. */
  bodySite: list(anyConcept).optional(),
  /** Comments, in their order. */
  note: list(annotation).optional(),
  /** Instructions for the patient. */
  patientInstruction: text.optional(),
};

const elementsSchema = z.object(orderElements);

/** The elements of an order that are stored as they were sent. */
export interface OrderElements extends SchemaOutput<typeof elementsSchema> {}

/** The elements of an order as they are stored; undefined if there are none. */
export const storeOrderElements = createElementStorer<OrderElements>(orderElements);

export const loinc = 'http://loinc.org';

const loincSystemSchema = z.literal(loinc);

/** A coding in LOINC. */
export interface LoincCoding extends Coding<typeof loinc> {}

const loincCodingSchema = named<LoincCoding>(storedCoding(loincSystemSchema));

const orderSchema = z.strictObject({
  /** Whether imaging or laboratory work is ordered, or a referral. */
  kind: z.enum(orderKinds),
  /** The id of the new order; by default a new one. Refused beside a limit to charts. */
  id: id.optional(),
  patientId: id,
  ...inputCommonElements,
  /** The requested service: in LOINC, or as a text. */
  code: commandConceptOrText(loincCodingSchema),
  /** When it is to be done: a start, an end, or both. */
  occurrencePeriod: period.optional(),
  /** When it was authored, as a FHIR `dateTime`. By default, when it is staged. */
  authoredOn: dateTime.optional(),
  /** The id of the practitioner who orders. By default, the one who commits the order. */
  requesterId: id.optional(),
  /** The ids of the conditions that are the reasons. They are not looked up. */
  reasonConditionIds: z.array(id).optional(),
  ...orderElements,
});

/** An imaging order, a lab order or a referral as a host gives it. */
export interface OrderCommand extends SchemaOutput<typeof orderSchema> {}

export const orderCommandSchema = oneOf(
  oneOf(
    oneOf(named<OrderCommand>(orderSchema), 'occurrencePeriod', 'occurrenceTiming'),
    'asNeededBoolean',
    'asNeededCodeableConcept',
  ),
  'quantityQuantity',
  'quantityRatio',
  'quantityRange',
);

/** An order command as its record stores it, with a time of authoring. */
export type OrderCommandBody = Pick<
  OrderCommand,
  'kind' | 'code' | 'occurrencePeriod' | 'requesterId' | 'reasonConditionIds'
> & {
  /** When it was authored: a FHIR `dateTime`. */
  readonly authoredOn: string;
  /** The name of the requester when the order was staged, where that is known. */
  readonly requesterDisplay?: string | undefined;
  /** The elements of the resource at which no rule looks, where there are any. */
  readonly elements?: OrderElements | undefined;
};

/** The order that one request derives from. */
export type OrderRecord = ChartRecord<OrderCommandBody>;

export const serviceRequestStatuses = ['active', 'completed', 'draft', 'entered-in-error'] as const;

const categorySchema = z.union(
  orderKinds.map((kind) => {
    const { system, code: ofKind, display } = categories[kind];
    return z.object({
      /** SNOMED CT. */
      system: z.literal(system),
      /** The code of the kind of order. */
      code: z.literal(ofKind),
      /** The meaning of the code. */
      display: z.literal(display),
    });
  }),
);

/** A coding of a kind of order. */
export interface OrderCategoryCoding extends SchemaOutput<typeof categorySchema> {}

export const serviceRequestSchema = schemaForBase((extensionBase) =>
  z.object({
    resourceType: z.literal('ServiceRequest'),
    /** The id of the order. */
    id: z.string(),
    ...outputCommonElements,
    /** `draft` while the order is staged, and `active` once it is committed. */
    status: z.enum(serviceRequestStatuses),
    _status: statusExtensions(extensionBase),
    /** Always `order`. */
    intent: z.literal('order'),
    category: z
      .array(outputConcept(named<OrderCategoryCoding>(categorySchema)))
      .describe('Imaging, laboratory work or a referral.'),
    code: codedOrTextConcept(extensionBase, loincCodingSchema).describe('The requested service.'),
    /** The patient for whom it is ordered. */
    subject: outputReference('Patient'),
    occurrencePeriod: period.exactOptional().describe('When it is to be done.'),
    /** When it was authored: a FHIR `dateTime`. */
    authoredOn: dateTime,
    /** The practitioner who ordered it; absent before the commit if the order names nobody. */
    requester: outputSignedReference('Practitioner').exactOptional(),
    /** The conditions that are the reasons. */
    reasonReference: z.array(outputReference('Condition')).exactOptional(),
    ...orderElements,
  }),
);

/** An order: imaging, laboratory work or a referral. Source: docs/http-interface.md#servicerequest. */
export interface ServiceRequest extends SchemaOutput<ReturnType<typeof serviceRequestSchema>> {}
