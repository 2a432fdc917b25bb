import type { ImmunizationCreateBody } from '@clinical-records/core';
import { vaccines } from './vaccine-codes.ts';

/** The fields of a form for a vaccine that was given elsewhere: its name, the date and a comment. */
export type Statement = { readonly vaccine: string; readonly date: string; readonly note: string };

const cvx = 'http://hl7.org/fhir/sid/cvx';

const simpleNameOf = (text: string): string => text.trim().toLowerCase();

const codesByName = new Map(Object.entries(vaccines).map(([code, name]) => [simpleNameOf(name), code]));

/** The CVX code of a vaccine by its name; undefined for a name that has none. */
export const codeOfVaccine = (name: string): string | undefined => codesByName.get(simpleNameOf(name));

/** A vaccine by its name. A name without a code is its own code. */
export const vaccineConcept = (name: string): Pick<ImmunizationCreateBody['vaccineCode'], 'coding'> => {
  const code = codeOfVaccine(name);
  return code === undefined
    ? { coding: [{ system: 'unstructured', code: name.trim() }] }
    : { coding: [{ system: cvx, code, display: vaccines[code] ?? '' }] };
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
