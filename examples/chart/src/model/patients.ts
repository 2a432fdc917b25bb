import { ageAt, dayOf, formatDate, formatDay } from './dates/dates.ts';
import type { Patient } from './resources.ts';

type PatientIdentifier = NonNullable<Patient['identifier']>[number];

const isRecordNumber = ({ type }: PatientIdentifier): boolean =>
  type?.coding?.some(({ code }) => code === 'MR') ?? false;

const isValid = ({ use, period }: PatientIdentifier, today: string): boolean =>
  use !== 'old' &&
  (period?.end === undefined || period.end.slice(0, today.length) >= today.slice(0, period.end.length));

/** Of several numbers, one with a use that is first here is shown. */
const uses: readonly (string | undefined)[] = ['official', 'usual'];

const rankOf = (identifier: PatientIdentifier): number =>
  (isRecordNumber(identifier) ? 0 : 10) +
  ((uses.indexOf(identifier.use) + uses.length + 1) % (uses.length + 1));

/** The identifiers with a value: those that are valid, the number of the record first, then those that are not valid any more. */
const identifiersOf = ({ identifier = [] }: Patient, today: string) => {
  const withValue = identifier.filter(({ value }) => value !== undefined);
  const valid = withValue.filter((one) => isValid(one, today)).sort((a, b) => rankOf(a) - rankOf(b));
  return { valid, past: withValue.filter((one) => !isValid(one, today)) };
};

const thisDay = (): string => dayOf(new Date());

/** The valid number of a patient's record or, where none is known, the id: patients of the same name differ in it. */
export const recordOf = (patient: Patient, today = thisDay()): string =>
  identifiersOf(patient, today).valid[0]?.value ?? patient.id;

/** The other identifiers of a patient than the number of the record, each with the name of its kind. */
export const otherIdentifiersOf = (
  patient: Patient,
  today = thisDay(),
): readonly { kind: string; value: string }[] => {
  const { valid, past } = identifiersOf(patient, today);
  const kindOf = ({ type }: PatientIdentifier) => type?.text ?? type?.coding?.[0]?.display ?? 'Identifier';
  return [
    ...valid.map((one) => ({ kind: kindOf(one), value: one.value ?? '' })),
    ...past.map((one) => ({ kind: `${kindOf(one)} (no longer valid)`, value: one.value ?? '' })),
  ].filter(({ value }) => value !== recordOf(patient, today));
};

/** The death of a patient in words, such as `Died 2 Jan 2026`; undefined if nothing is known of one. */
export const deathOf = ({ deceasedBoolean = false, deceasedDateTime }: Patient): string | undefined => {
  if (deceasedDateTime !== undefined) return `Died ${formatDay(deceasedDateTime)}`;
  return deceasedBoolean ? 'Deceased' : undefined;
};

/** The birth date with the age on a day, or at death, such as `23 Aug 1961 (64 years)`; undefined if it is not known. No age is negative. */
export const birthOf = (patient: Patient, today: string): string | undefined => {
  const { birthDate, deceasedDateTime } = patient;
  if (birthDate === undefined) return undefined;
  // Without the date of the death, the age at death is not known.
  if (deathOf(patient) === 'Deceased') return formatDay(birthDate);
  const last = deceasedDateTime === undefined ? today : dayOf(new Date(deceasedDateTime));
  if (birthDate > today) return `${formatDay(birthDate)} (in the future)`;
  // A death before the birth leaves the age unknown.
  return birthDate > last ? formatDay(birthDate) : `${formatDay(birthDate)} (${ageAt(birthDate, last)})`;
};

/** The text after the name of a patient, such as `23 Aug 1961 · R-1001`. */
export const detailsOf = (patient: Patient): string =>
  [patient.birthDate && formatDate(patient.birthDate), recordOf(patient), deathOf(patient)]
    .filter(Boolean)
    .join(' · ');
