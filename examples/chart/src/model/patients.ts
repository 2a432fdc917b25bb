import { ageAt, dayOf, formatDate, formatDay } from './dates/dates.ts';
import type { Patient } from './resources.ts';

type PatientIdentifier = NonNullable<Patient['identifier']>[number];

const isRecordNumber = ({ type }: PatientIdentifier): boolean =>
  type?.coding?.some(({ code }) => code === 'MR') ?? false;

/** The identifiers with a value, the number of the record first. */
const identifiersOf = ({ identifier = [] }: Patient) =>
  identifier
    .filter(({ value }) => value !== undefined)
    .sort((a, b) => Number(isRecordNumber(b)) - Number(isRecordNumber(a)));

/** The number of a patient's record or, where none is known, the id: patients of the same name differ in it. */
export const recordOf = (patient: Patient): string => identifiersOf(patient)[0]?.value ?? patient.id;

/** The other identifiers of a patient than the number of the record, each with the name of its kind. */
export const otherIdentifiersOf = (patient: Patient): readonly { kind: string; value: string }[] =>
  identifiersOf(patient)
    .filter(({ value }) => value !== recordOf(patient))
    .map(({ type, value = '' }) => ({
      kind: type?.text ?? type?.coding?.[0]?.display ?? 'Identifier',
      value,
    }));

/** The death of a patient in words, such as `Died 2 Jan 2026`; undefined if nothing is known of one. */
export const deathOf = ({ deceasedBoolean = false, deceasedDateTime }: Patient): string | undefined => {
  if (deceasedDateTime !== undefined) return `Died ${formatDay(deceasedDateTime)}`;
  return deceasedBoolean ? 'Deceased' : undefined;
};

/** The birth date with the age on a day, or at death, such as `23 Aug 1961 (64 years)`; undefined if it is not known. */
export const birthOf = (patient: Patient, today: string): string | undefined => {
  const { birthDate, deceasedDateTime } = patient;
  if (birthDate === undefined) return undefined;
  // Without the date of the death, the age at death is not known.
  if (deathOf(patient) === 'Deceased') return formatDay(birthDate);
  const last = deceasedDateTime === undefined ? today : dayOf(new Date(deceasedDateTime));
  return `${formatDay(birthDate)} (${ageAt(birthDate, last)})`;
};

/** The text after the name of a patient, such as `23 Aug 1961 · R-1001`. */
export const detailsOf = (patient: Patient): string =>
  [patient.birthDate && formatDate(patient.birthDate), recordOf(patient), deathOf(patient)]
    .filter(Boolean)
    .join(' · ');
