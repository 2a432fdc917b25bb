import { DateField } from '../forms/date-field.tsx';
import { TextField } from '../forms/field.tsx';

type Field = {
  readonly value: string;
  readonly sentences: readonly string[] | undefined;
  readonly onInput: (value: string) => void;
};

export const DueField = (field: Field) => <DateField id="goal-due" label="Due" {...field} />;

/** How a goal is going, in words. */
export const ProgressField = (field: Field) => (
  <TextField id="goal-note" label="Comment on the progress" dir="auto" {...field} />
);

/** The barriers on the way to a goal, in words. */
export const BarriersField = (field: Field) => (
  <TextField id="goal-barriers" label="Barriers" dir="auto" {...field} />
);
