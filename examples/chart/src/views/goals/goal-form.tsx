import { useState } from 'preact/hooks';
import { dayOf } from '../../model/dates/dates.ts';
import { type GoalFields, goalCommand, priorities } from '../../model/goal-command.ts';
import { goalDoubts } from '../../model/immunization/plausibility.ts';
import { useClient, usePatient } from '../contexts.ts';
import { Dialog } from '../dialog.tsx';
import { DateField, dateSentence, readDate } from '../forms/date-field.tsx';
import { EntryForm } from '../forms/entry-form.tsx';
import { createFields, SelectField, TextField } from '../forms/field.tsx';
import { useLeave } from '../forms/use-leave.ts';
import { useRetryKey } from '../forms/use-retry-key.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { DueField, ProgressField } from './goal-fields.tsx';

const fields = {
  description: /^Command\.description/,
  startDate: /^Command\.startDate/,
  dueDate: /^Command\.dueDate/,
  priority: /^Command\.priority/,
  progress: /^Command\.progress/,
};

const emptyGoal: GoalFields = { description: '', startDate: '', dueDate: '', priority: '', progress: '' };

/** Stages a goal: a draft, which takes effect once it is committed. */
export const GoalForm = ({
  onClose,
  onStaged,
}: {
  readonly onClose: () => void;
  readonly onStaged: () => void;
}) => {
  const client = useClient();
  const patient = usePatient();
  const [goal, setGoal] = useState(emptyGoal);
  const retryKey = useRetryKey(goal);
  const leave = useLeave(goal !== emptyGoal, onClose);
  const [startDate, dueDate] = [readDate(goal.startDate), readDate(goal.dueDate)];
  const submission = useSubmit(
    async () => {
      const dates = { startDate: startDate ?? '', dueDate: dueDate ?? '' };
      await client.commands.stage(goalCommand(patient.id, { ...goal, ...dates }), { key: retryKey });
      onStaged();
    },
    {
      fields,
      check: () => ({
        description: goal.description.trim() === '' ? 'Write down the goal.' : undefined,
        startDate: startDate === null ? dateSentence : undefined,
        dueDate: dueDate === null ? dateSentence : undefined,
      }),
      doubtsOf: () =>
        goalDoubts({ startDate: startDate ?? '', dueDate: dueDate ?? '' }, patient, dayOf(new Date())),
    },
  );
  const field = createFields(goal, submission, (changed) => setGoal({ ...goal, ...changed }));
  return (
    <Dialog title="Add a goal" onClose={leave}>
      <p class="secondary">First as a draft, which you read again before you commit it.</p>
      <EntryForm action="Stage as a draft" submission={submission} onCancel={leave}>
        <TextField id="goal-description" label="Goal" dir="auto" {...field('description')} />
        <DateField id="goal-start" label="Start" {...field('startDate')} />
        <DueField {...field('dueDate')} />
        <SelectField
          id="goal-priority"
          label="Priority"
          none="None"
          options={priorities}
          {...field('priority')}
        />
        <ProgressField {...field('progress')} />
      </EntryForm>
    </Dialog>
  );
};
