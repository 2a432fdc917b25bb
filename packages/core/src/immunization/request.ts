import { z } from 'zod';
import type { ClinicalError, Fault } from '../errors.ts';
import { codeableConcept, coding } from '../fhir/coding.ts';
import { dateTime } from '../fhir/date-time.ts';
import { alsoInEveryResource, element, text } from '../fhir/element.ts';
import { id, idIn, reference } from '../fhir/reference.ts';
import type { ImmunizationCommand } from './model.ts';

/** What may be sent: the code systems of the table, not the one that sample reads show besides. */
const vaccineSystems = [
  'http://hl7.org/fhir/sid/cvx',
  'http://www.ama-assn.org/go/cpt',
  'unstructured',
] as const;

export const noteIdUrl = (extensionBase: string): string => `${extensionBase}/note-id`;

const fields = (extensionBase: string) => ({
  resourceType: z.literal('Immunization').optional(),
  extension: z
    .array(element({ url: z.literal(noteIdUrl(extensionBase)), valueId: id }, ['_valueId']))
    .max(1)
    .optional(),
  status: z.enum(['completed', 'entered-in-error', 'not-done']),
  vaccineCode: codeableConcept(coding(z.enum(vaccineSystems), text.optional())),
  patient: reference('Patient'),
  encounter: reference('Encounter').optional(),
  occurrenceDateTime: dateTime,
  primarySource: z.boolean(),
  note: z
    .array(element({ text }, ['authorReference', 'authorString', 'time', '_text', '_authorString', '_time']))
    .optional(),
});

/** The elements of FHIR R4's Immunization that are not in the interface. */
const alsoInImmunization = [
  ...alsoInEveryResource,
  ...'identifier statusReason occurrenceString recorded reportOrigin location manufacturer lotNumber'.split(
    ' ',
  ),
  ...'expirationDate site route doseQuantity performer reasonCode reasonReference isSubpotent'.split(' '),
  ...'subpotentReason education programEligibility fundingSource reaction protocolApplied'.split(' '),
  ...'_status _occurrenceDateTime _occurrenceString _recorded _primarySource _lotNumber'.split(' '),
  ...'_expirationDate _isSubpotent'.split(' '),
];

/** The body of a POST. An id in it is dropped: the server takes none that a client made. */
export const createBody = (extensionBase: string) => element(fields(extensionBase), alsoInImmunization);

/** The body of a PUT. */
export const updateBody = (extensionBase: string) =>
  element({ ...fields(extensionBase), id }, alsoInImmunization);

export type CreateBody = z.infer<ReturnType<typeof createBody>>;

/** The statement that a POST asks for. Source: interface, "POST rules". */
export const statementOf = (body: CreateBody): ImmunizationCommand => ({
  kind: 'immunizationStatement',
  patientId: idIn(body.patient),
  ...(body.extension?.[0] !== undefined && { noteId: body.extension[0].valueId }),
  ...(body.encounter !== undefined && { encounterId: idIn(body.encounter) }),
  vaccineCode: {
    coding: body.vaccineCode.coding.map(({ system, code, display }) => ({
      system,
      code,
      ...(display !== undefined && { display }),
    })),
  },
  occurrenceDateTime: body.occurrenceDateTime,
  ...(body.note !== undefined && { note: body.note.map(({ text: comment }) => ({ text: comment })) }),
});

const elementOf: Readonly<Record<string, string>> = {
  patientId: 'Immunization.patient',
  noteId: 'Immunization.extension[0]',
  encounterId: 'Immunization.encounter',
};

const atElement = (fault: Fault): Fault => {
  const expression = elementOf[fault.expression ?? ''];
  return expression === undefined ? fault : { ...fault, expression };
};

/** Faults of a command, told at the elements of the resource that it was made from. */
export const atElements = (error: ClinicalError): ClinicalError => ({
  ...error,
  faults: error.faults.map(atElement),
});
