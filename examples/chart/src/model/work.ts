import { listedName } from './names.ts';
import type { Patient } from './resources.ts';

/** A patient with work that waits: goals that are overdue, orders that nobody has committed, and other drafts of the user. */
export type PatientAtWork = {
  readonly patient: Patient;
  readonly overdueGoals: number;
  readonly drafts: number;
};

const countOf = (references: readonly string[], { id }: Patient): number =>
  references.filter((reference) => reference === `Patient/${id}`).length;

/** The patients with the work that waits, of which each reference names the patient: those with the most work first. */
export const sortByWork = (
  patients: readonly Patient[],
  work: { readonly overdue: readonly string[]; readonly drafts: readonly string[] },
): readonly PatientAtWork[] =>
  patients
    .map((patient) => ({
      patient,
      overdueGoals: countOf(work.overdue, patient),
      drafts: countOf(work.drafts, patient),
    }))
    .toSorted(
      (a, b) =>
        b.overdueGoals - a.overdueGoals ||
        b.drafts - a.drafts ||
        listedName(a.patient.name).localeCompare(listedName(b.patient.name)),
    );
