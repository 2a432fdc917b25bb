import { dayIn, dayOf, formatDate, formatDay, lastDayOf, startOf } from '../dates/dates.ts';
import type { Immunization, Patient } from '../resources.ts';
import { vaccineNamed } from './find-vaccines.ts';
import { doseUnits, type GivenDose } from './given-dose.ts';

/** Whether all days that a date may mean are before all days of another one. */
const isBefore = (date: string, other: string): boolean => lastDayOf(dayIn(date)) < startOf(dayIn(other));

/** The doubts about a date that the life of the patient raises. */
const lifeDoubts = (
  date: string,
  { birthDate, deceasedDateTime }: Patient,
  thing: string,
): readonly string[] => [
  ...(birthDate !== undefined && isBefore(date, birthDate)
    ? [`${thing} ${formatDay(date)} is before the birth of the patient, ${formatDay(birthDate)}.`]
    : []),
  ...(deceasedDateTime !== undefined && isBefore(deceasedDateTime, date)
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
  {
    recorded,
    now,
  }: {
    readonly recorded: readonly Pick<Immunization, 'vaccineCode' | 'occurrenceDateTime' | 'status'>[];
    readonly now: Date;
  },
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
    ...(isBefore(dayOf(now), date) || (date.includes('T') && startOf(date) > now.getTime())
      ? [`${formatDate(date)} has not come yet.`]
      : []),
    ...(isRecorded ? [`The chart has this vaccine on ${formatDay(date)} already.`] : []),
  ];
};

/** More than this in one dose is not usual, by units of UCUM. */
const mostIn: Readonly<Record<string, number>> = { mL: 3, ug: 500, '[iU]': 10_000, '[drp]': 10 };

/** The doubts about a dose that was given here, whose amount is undefined if nobody wrote it. */
export const givenDoubts = (
  { date, lotNumber, expiry, unit }: Pick<GivenDose, 'date' | 'lotNumber' | 'expiry' | 'unit'>,
  amount: number | undefined,
): readonly string[] => [
  ...(lotNumber.trim() === ''
    ? ['The lot number is missing. Without it, a recall does not find this dose.']
    : []),
  ...(expiry !== '' && date !== '' && isBefore(expiry, date)
    ? [`The vaccine had expired: its expiry date is ${formatDay(expiry)}.`]
    : []),
  ...(amount !== undefined && amount > (mostIn[unit] ?? amount)
    ? [`A dose of ${amount} ${doseUnits[unit]} is not usual. Look at the number and at the unit.`]
    : []),
];

/** The doubt about a vaccine that is written, and not chosen from the list. */
export const unlistedDoubts = (vaccine: string): readonly string[] =>
  vaccineNamed(vaccine) === undefined
    ? [`“${vaccine.trim()}” is not in the list of vaccines, so nothing that looks for its code finds it.`]
    : [];
