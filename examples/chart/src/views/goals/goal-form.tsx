import { useState } from 'preact/hooks';
import type { Loaded } from '../../api/client.ts';
import { type GoalFields, priorities, proposedGoalBody } from '../../model/goal-bodies.ts';
import type { StagedGoal } from '../../model/resources.ts';
import { useClient } from '../contexts.ts';
import { Dialog } from '../dialog.tsx';
import { EntryForm } from '../forms/entry-form.tsx';
import { SelectField, TextField } from '../forms/field.tsx';
import { useRetryKey } from '../forms/use-retry-key.ts';
import { useSubmit } from '../forms/use-submit.ts';

const fields = {
  description: /^Goal\.description/,
  startDate: /^Goal\.startDate/,
  dueDate: /^Goal\.target/,
  priority: /^Goal\.priority/,
  note: /^Goal\.note/,
};

const emptyGoal: GoalFields = { description: '', startDate: '', dueDate: '', priority: '', note: '' };

/** Stages a goal: a draft, which takes effect once it is committed. */
export const GoalForm = ({
  patientId,
  onClose,
  onStaged,
}: {
  readonly patientId: string;
  readonly onClose: () => void;
  readonly onStaged: (draft: Loaded<StagedGoal>) => void;
}) => {
  const client = useClient();
  const [goal, setGoal] = useState(emptyGoal);
  const retryKey = useRetryKey(goal);
  const submission = useSubmit(
    async () => {
      const body = proposedGoalBody(patientId, goal);
      onStaged(await client.create<StagedGoal>('Goal', { body, retryKey }));
    },
    { fields },
  );
  const errorsOf = (field: keyof GoalFields) => submission.errors.byField.get(field);
  const set = (changed: Partial<GoalFields>) => setGoal({ ...goal, ...changed });
  return (
    <Dialog title="Add a goal" onClose={onClose}>
      <p class="secondary">First as a draft, which you read again before you commit it.</p>
      <EntryForm action="Stage as a draft" submission={submission} onCancel={onClose}>
        <TextField
          id="goal-description"
          label="Goal"
          dir="auto"
          value={goal.description}
          sentences={errorsOf('description')}
          onInput={(description) => set({ description })}
        />
        <TextField
          id="goal-start"
          label="Start: a year, a month such as 2026-05, or a day such as 2026-05-14"
          value={goal.startDate}
          sentences={errorsOf('startDate')}
          onInput={(startDate) => set({ startDate })}
        />
        <TextField
          id="goal-due"
          label="Due, in the same form"
          value={goal.dueDate}
          sentences={errorsOf('dueDate')}
          onInput={(dueDate) => set({ dueDate })}
        />
        <SelectField
          id="goal-priority"
          label="Priority"
          none="None"
          options={priorities}
          value={goal.priority}
          sentences={errorsOf('priority')}
          onChange={(priority) => set({ priority })}
        />
        <TextField
          id="goal-note"
          label="Comment on the progress"
          dir="auto"
          value={goal.note}
          sentences={errorsOf('note')}
          onInput={(note) => set({ note })}
        />
      </EntryForm>
    </Dialog>
  );
};
