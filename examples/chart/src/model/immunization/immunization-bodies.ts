import type { ImmunizationCreateBody } from '@clinical-records/core';
import { vaccineNamed } from './find-vaccines.ts';

/** The fields of a form for a vaccine that was given elsewhere: its name, the date and a comment. */
export type Statement = { readonly vaccine: string; readonly date: string; readonly note: string };

const cvx = 'http://hl7.org/fhir/sid/cvx';

/** A vaccine by its name. A name that is not in the list is its own code. */
export const vaccineConcept = (name: string): Pick<ImmunizationCreateBody['vaccineCode'], 'coding'> => {
  const listed = vaccineNamed(name);
  return listed === undefined
    ? { coding: [{ system: 'unstructured', code: name.trim() }] }
    : { coding: [{ system: cvx, code: listed.code, display: listed.name }] };
};

/** The body that records a statement, whose date is one of FHIR. */
export const statementBody = (
  patientId: string,
  { vaccine, date, note }: Statement,
): ImmunizationCreateBody => ({
  resourceType: 'Immunization',
  status: 'completed',
  vaccineCode: vaccineConcept(vaccine),
  patient: { reference: `Patient/${patientId}` },
  occurrenceDateTime: date,
  primarySource: false,
  ...(note.trim() !== '' && { note: [{ text: note }] }),
});
