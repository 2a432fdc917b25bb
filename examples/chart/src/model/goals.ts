import { formatDay, formatDue, lastDayOf, startOf } from './dates/dates.ts';
import { conceptName } from './names.ts';
import type { Goal } from './resources.ts';

/** Where a goal stands with its due date. */
export type GoalTiming = {
  readonly state: 'open' | 'overdue' | 'closed' | 'in-error';
  /** Such as `due in 12 days`; empty if there is nothing to say. */
  readonly text: string;
};

/** A goal can be reached until its due date is over where the reader is. Source: docs/http-interface.md#goal. */
export const timingOf = (goal: Pick<Goal, 'lifecycleStatus' | 'target'>, now: number): GoalTiming => {
  if (goal.lifecycleStatus === 'entered-in-error') return { state: 'in-error', text: 'entered in error' };
  if (goal.lifecycleStatus === 'completed') return { state: 'closed', text: 'closed' };
  const dueDate = goal.target?.[0]?.dueDate;
  if (dueDate === undefined) return { state: 'open', text: 'no due date' };
  const { isOverdue, text } = formatDue(dueDate, now);
  return { state: isOverdue ? 'overdue' : 'open', text };
};

const order = { overdue: 0, open: 1, closed: 2, 'in-error': 3 } as const;

/** Overdue goals first, then open ones by their due date, then what is closed, and errors at the end. */
export const sortGoals = (goals: readonly Goal[], now: number): readonly Goal[] =>
  goals.toSorted((a, b) => {
    const byState = order[timingOf(a, now).state] - order[timingOf(b, now).state];
    return (
      byState || lastDayOf(a.target?.[0]?.dueDate ?? '9999') - lastDayOf(b.target?.[0]?.dueDate ?? '9999')
    );
  });

/** The moments of a goal that a line of time has to show. */
export const momentsOf = ({ startDate, target = [], note = [] }: Goal): readonly number[] => [
  ...[startDate, ...note.map(({ time }) => time)].flatMap((date) =>
    date === undefined ? [] : [startOf(date)],
  ),
  ...target.flatMap(({ dueDate }) => (dueDate === undefined ? [] : [lastDayOf(dueDate)])),
];

type FurtherTarget = Extract<NonNullable<Goal['extension']>[number], { readonly extension: unknown }>;

type Part = FurtherTarget['extension'][number];

const amountText = ({ value, unit }: NonNullable<Part['valueQuantity']> = {}): string =>
  [value, unit].filter((part) => part !== undefined).join(' ');

/** The value of a part of a target in words, such as `80 mmHg`. */
const partText = (part: Part): string => {
  const { valueRange, valueRatio } = part;
  if (part.valueQuantity !== undefined) return amountText(part.valueQuantity);
  if (part.valueDuration !== undefined) return `within ${amountText(part.valueDuration)}`;
  if (valueRange !== undefined) return [valueRange.low, valueRange.high].map(amountText).join(' to ');
  if (valueRatio !== undefined)
    return [valueRatio.numerator, valueRatio.denominator].map(amountText).join(' per ');
  if (part.valueDate !== undefined) return `by ${formatDay(part.valueDate)}`;
  if (part.valueCodeableConcept !== undefined) return conceptName(part.valueCodeableConcept) ?? '';
  return String(part.valueString ?? part.valueInteger ?? part.valueBoolean ?? '');
};

/** The targets of a goal beyond the first, in words, such as `Diastolic pressure 80 mmHg by 1 Feb 2027`. */
export const furtherTargetsOf = ({ extension = [] }: Pick<Goal, 'extension'>): readonly string[] =>
  extension.flatMap((one) => ('extension' in one ? [one.extension.map(partText).join(' ')] : []));
