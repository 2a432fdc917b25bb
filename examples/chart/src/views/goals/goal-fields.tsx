import { DateField } from '../forms/date-field.tsx';
import { type Field, TextField } from '../forms/field.tsx';

export const DueField = (field: Field) => <DateField id="goal-due" label="Due" {...field} />;

/** How a goal is going, in words. */
export const ProgressField = (field: Field) => (
  <TextField id="goal-note" label="Comment on the progress" dir="auto" {...field} />
);

/** The barriers on the way to a goal, in words. */
export const BarriersField = (field: Field) => (
  <TextField id="goal-barriers" label="Barriers" dir="auto" {...field} />
);
