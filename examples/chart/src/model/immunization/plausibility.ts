import { formatDay, lastDayOf, startOf } from '../dates/dates.ts';
import type { Immunization, Patient } from '../resources.ts';
import type { GivenDose } from './given-dose.ts';

/** Whether all days that a date may mean are before all days of another one. */
const isBefore = (date: string, other: string): boolean => lastDayOf(date) < startOf(other.slice(0, 10));

/** The doubts about a date that the life of the patient raises. */
const lifeDoubts = (
  date: string,
  { birthDate, deceasedDateTime }: Patient,
  thing: string,
): readonly string[] => [
  ...(birthDate !== undefined && isBefore(date, birthDate)
    ? [`${thing} ${formatDay(date)} is before the birth of the patient, ${formatDay(birthDate)}.`]
    : []),
  ...(deceasedDateTime !== undefined && isBefore(deceasedDateTime.slice(0, 10), date)
    ? [`${thing} ${formatDay(date)} is after the death of the patient, ${formatDay(deceasedDateTime)}.`]
    : []),
];

/** The doubts about the dates of a goal, in sentences for the user. A date that is not set raises none. */
export const goalDoubts = (
  { startDate, dueDate }: { readonly startDate: string; readonly dueDate: string },
  patient: Patient,
  today: string,
): readonly string[] => [
  ...(startDate === '' ? [] : lifeDoubts(startDate, patient, 'The start')),
  ...(dueDate === '' ? [] : lifeDoubts(dueDate, patient, 'The due date')),
  ...(startDate !== '' && dueDate !== '' && isBefore(dueDate, startDate)
    ? [`The goal is due on ${formatDay(dueDate)}, before it starts on ${formatDay(startDate)}.`]
    : []),
  ...(dueDate !== '' && isBefore(dueDate, today)
    ? [`The due date ${formatDay(dueDate)} has passed already.`]
    : []),
];

/** The doubts about the vaccine and the date of a dose. */
export const doseDoubts = (
  dose: Pick<Immunization, 'vaccineCode' | 'occurrenceDateTime'>,
  patient: Patient,
  { recorded, today }: { readonly recorded: readonly Immunization[]; readonly today: string },
): readonly string[] => {
  const { occurrenceDateTime: date } = dose;
  const codeOf = ({ vaccineCode }: Pick<Immunization, 'vaccineCode'>) => vaccineCode.coding[0]?.code;
  const isRecorded = recorded.some(
    (one) =>
      one.status !== 'entered-in-error' &&
      codeOf(one) === codeOf(dose) &&
      formatDay(one.occurrenceDateTime) === formatDay(date),
  );
  return [
    ...lifeDoubts(date, patient, 'The date'),
    ...(isBefore(today, date) ? [`${formatDay(date)} has not come yet.`] : []),
    ...(isRecorded ? [`The chart has this vaccine on ${formatDay(date)} already.`] : []),
  ];
};

/** The doubts about a dose that was given here. */
export const givenDoubts = ({ lotNumber }: Pick<GivenDose, 'lotNumber'>): readonly string[] =>
  lotNumber.trim() === '' ? ['The lot number is missing. Without it, a recall does not find this dose.'] : [];
