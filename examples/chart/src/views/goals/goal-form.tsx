import { useState } from 'preact/hooks';
import type { Loaded } from '../../api/client.ts';
import { type GoalFields, priorities, proposedGoalBody } from '../../model/goal-bodies.ts';
import type { StagedGoal } from '../../model/resources.ts';
import { useClient } from '../contexts.ts';
import { Dialog } from '../dialog.tsx';
import { describedBy, FieldError, GeneralErrors, TextField } from '../forms/field.tsx';
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
  const { submit, isSending, errors } = useSubmit(
    async () => {
      const body = proposedGoalBody(patientId, goal);
      onStaged(await client.create<StagedGoal>('Goal', { body, retryKey }));
    },
    { fields },
  );
  const errorsOf = (field: keyof GoalFields) => errors.byField.get(field);
  const set = (changed: Partial<GoalFields>) => setGoal({ ...goal, ...changed });
  return (
    <Dialog title="Add a goal" onClose={onClose}>
      <p class="secondary">First as a draft, which you read again before you commit it.</p>
      <GeneralErrors sentences={errors.general} />
      <form
        class="editor"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
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
        <label for="goal-priority">Priority</label>
        <select
          id="goal-priority"
          value={goal.priority}
          {...describedBy('goal-priority-error', errorsOf('priority'))}
          onChange={(event) => set({ priority: event.currentTarget.value })}
        >
          <option value="">None</option>
          {Object.entries(priorities).map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
        <FieldError id="goal-priority-error" sentences={errorsOf('priority')} />
        <TextField
          id="goal-note"
          label="Comment on the progress"
          dir="auto"
          value={goal.note}
          sentences={errorsOf('note')}
          onInput={(note) => set({ note })}
        />
        <p class="form-actions">
          <button type="submit" disabled={isSending}>
            Stage as a draft
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
};
