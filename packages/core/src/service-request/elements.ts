import { z } from 'zod';
import { annotation } from '../fhir/annotation.ts';
import { anyConcept } from '../fhir/coding.ts';
import { list, text } from '../fhir/element.ts';
import { quantity, range, ratio } from '../fhir/quantity.ts';
import { anyReference, elementReference } from '../fhir/reference.ts';
import type { SchemaOutput } from '../fhir/schema-output.ts';
import { createElementStorer } from '../fhir/stored-elements.ts';
import { timing } from '../fhir/timing.ts';

/** The elements of an order that are stored as they were sent. No rule looks at them. FHIR R4, ServiceRequest, 12.15.5. */
export const orderElements = {
  /** How urgent the order is. */
  priority: z.enum(['routine', 'urgent', 'asap', 'stat']).optional(),
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
      ...(['Practitioner', 'PractitionerRole', 'Organization', 'CareTeam'] as const),
      ...(['HealthcareService', 'Patient', 'Device', 'RelatedPerson'] as const),
    ),
  ).optional(),
  /** Where it is to be done, as codes. */
  locationCode: list(anyConcept).optional(),
  /** Where it is to be done. */
  locationReference: list(elementReference('Location')).optional(),
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

const elementGroup = z.object(orderElements);

/** The elements of an order that are stored as they were sent. */
export interface OrderElements extends SchemaOutput<typeof elementGroup> {}

/** The elements of an order as they are stored; undefined if there are none. */
export const storeOrderElements = createElementStorer<OrderElements>(orderElements);
