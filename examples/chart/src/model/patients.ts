import { formatDate } from './dates.ts';
import type { Patient } from './resources.ts';

/** The number of a patient's record or, where none is known, the id: patients of the same name differ in it. */
export const recordOf = ({ identifier, id }: Patient): string => identifier?.[0]?.value ?? id;

/** The text after the name of a patient, such as `23 Aug 1961 · R-1001`. */
export const detailsOf = (patient: Patient): string =>
  [patient.birthDate && formatDate(patient.birthDate), recordOf(patient)].filter(Boolean).join(' · ');
