import { useState } from 'preact/hooks';
import { dayOf } from '../../model/dates/dates.ts';
import {
  achievements,
  closeGoalCommand,
  type GoalChange,
  outcomes,
  unchangedGoal,
  updateGoalCommand,
} from '../../model/goal-command.ts';
import { goalDoubts } from '../../model/immunization/plausibility.ts';
import { conceptName } from '../../model/names.ts';
import type { Goal, ResourceVersion } from '../../model/resources.ts';
import { useClient, usePatient } from '../contexts.ts';
import { Dialog } from '../dialog.tsx';
import { dateSentence, readDate } from '../forms/date-field.tsx';
import { EntryForm } from '../forms/entry-form.tsx';
import { createFields, SelectField } from '../forms/field.tsx';
import { useConflict } from '../forms/use-conflict.tsx';
import { useLeave } from '../forms/use-leave.ts';
import { useRetryKey } from '../forms/use-retry-key.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { BarriersField, DueField, ProgressField } from './goal-fields.tsx';

const fields = {
  achievementStatus: /^Command\.achievementStatus/,
  dueDate: /^Command\.dueDate/,
  progress: /^Command\.progress/,
  barriers: /^Command\.barriers/,
};

const words = {
  update: { title: 'Update the goal', action: 'Update the goal' },
  close: { title: 'Close the goal?', action: 'Close the goal' },
};

/** The sentence for a form that says nothing yet. */
const missingIn = (
  { achievementStatus, progress, barriers }: GoalChange,
  kind: keyof typeof words,
  dueDate: string | null | undefined,
): string | undefined => {
  if (kind === 'close') return achievementStatus === '' ? 'Say whether the goal was achieved.' : undefined;
  const isEmpty = [achievementStatus, progress, barriers].join('').trim() === '';
  return isEmpty && dueDate === undefined ? 'Fill in at least one field.' : undefined;
};

/** Updates a goal, or closes it. Both take effect at once. */
export const GoalChangeForm = ({
  goal,
  kind,
  onClose,
  onSaved,
}: {
  /** The goal as it is read. */
  readonly goal: Goal & ResourceVersion;
  readonly kind: keyof typeof words;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) => {
  const client = useClient();
  const patient = usePatient();
  const [before] = useState(() => unchangedGoal(goal));
  const [change, setChange] = useState(before);
  const [seen, setSeen] = useState(goal);
  const conflict = useConflict<Goal & ResourceVersion>(
    { type: 'Goal', id: goal.id },
    { onSaved, onRedo: setSeen },
  );
  const retryKey = useRetryKey();
  const leave = useLeave(change !== before, onClose);
  const dueDate = change.dueDate === before.dueDate ? undefined : readDate(change.dueDate);
  const command =
    kind === 'close'
      ? closeGoalCommand(goal.id, change)
      : updateGoalCommand(goal.id, { ...change, dueDate: dueDate ?? undefined });
  const submission = useSubmit(
    async () => {
      await client.commands.record(command, { key: retryKey, version: seen.meta?.versionId });
      onSaved();
    },
    {
      fields,
      onConflict: () => conflict.find(seen),
      check: () => ({
        achievementStatus: missingIn(change, kind, dueDate),
        dueDate: dueDate === null ? dateSentence : undefined,
      }),
      validate: () => client.commands.validateRecord(command),
      doubtsOf: () =>
        dueDate ? goalDoubts({ startDate: goal.startDate ?? '', dueDate }, patient, dayOf(new Date())) : [],
    },
  );
  const field = createFields(change, submission, (changed) => setChange({ ...change, ...changed }));
  const now = conceptName(seen.achievementStatus);
  const { title, action } = words[kind];
  return (
    <Dialog title={title} onClose={leave}>
      {conflict.notice}
      <p>
        <strong dir="auto">{goal.description.text}</strong>
        {kind === 'close' && '. It stays in the chart, as closed.'}
      </p>
      <EntryForm action={action} submission={submission} onCancel={leave}>
        <SelectField
          id="goal-achievement"
          label={kind === 'close' ? 'Was it achieved?' : 'How is it going?'}
          none={kind === 'close' ? 'Choose' : `As before${now === '' ? '' : ` (${now})`}`}
          options={kind === 'close' ? outcomes : achievements}
          {...field('achievementStatus')}
        />
        {kind === 'update' && <DueField {...field('dueDate')} />}
        <ProgressField {...field('progress')} />
        <BarriersField {...field('barriers')} />
      </EntryForm>
    </Dialog>
  );
};
