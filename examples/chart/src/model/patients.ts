import { formatDate } from './dates.ts';
import { listedName } from './names.ts';
import type { Patient } from './resources.ts';

/** What tells patients of the same name apart: the number of the record or, where none is known, the id. */
export const recordOf = ({ identifier, id }: Patient): string => identifier?.[0]?.value ?? id;

/** A patient in a few words, such as `Alvarez, Rosa · 23 Aug 1961 · R-1001`. */
export const summaryOf = (patient: Patient): string =>
  [listedName(patient.name), patient.birthDate && formatDate(patient.birthDate), recordOf(patient)]
    .filter(Boolean)
    .join(' · ');
