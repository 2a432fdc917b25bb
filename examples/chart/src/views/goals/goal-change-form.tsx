import { useState } from 'preact/hooks';
import { recordCommand } from '../../api/commands.ts';
import { loadConflict } from '../../api/conflict.ts';
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
import type { Goal, Versioned } from '../../model/resources.ts';
import { useClient, usePatient } from '../contexts.ts';
import { Dialog } from '../dialog.tsx';
import { type Conflict, ConflictNotice } from '../forms/conflict-notice.tsx';
import { dateSentence, readDate } from '../forms/date-field.tsx';
import { EntryForm } from '../forms/entry-form.tsx';
import { SelectField } from '../forms/field.tsx';
import { useLeave } from '../forms/use-leave.ts';
import { useRetryKey } from '../forms/use-retry-key.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { usePossibleMembers } from '../use-possible-members.tsx';
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

/** Updates a goal, or closes it. Both take effect at once. */
export const GoalChangeForm = ({
  goal,
  kind,
  onClose,
  onSaved,
}: {
  /** The goal as it is read. */
  readonly goal: Goal & Versioned;
  readonly kind: keyof typeof words;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) => {
  const client = useClient();
  const patient = usePatient();
  const names = usePossibleMembers();
  const [before] = useState(() => unchangedGoal(goal));
  const [change, setChange] = useState(before);
  const [seen, setSeen] = useState(goal);
  const [newer, setNewer] = useState<(Conflict & { readonly current: Goal & Versioned }) | null>(null);
  const retryKey = useRetryKey();
  const leave = useLeave(change !== before, onClose);
  const dueDate = change.dueDate === before.dueDate ? undefined : readDate(change.dueDate);
  // The sentence for a form that says nothing yet.
  const missing = (): string | undefined => {
    if (kind === 'close')
      return change.achievementStatus === '' ? 'Say whether the goal was achieved.' : undefined;
    const isEmpty = [change.achievementStatus, change.progress, change.barriers].join('').trim() === '';
    return isEmpty && dueDate === undefined ? 'Fill in at least one field.' : undefined;
  };
  const showConflict = async () => {
    const { author, changes, current } = await loadConflict(client, { type: 'Goal', id: goal.id }, seen);
    setNewer({ author: names.get(author ?? '') ?? 'Somebody', changes, current: current.resource });
  };
  const submission = useSubmit(
    async () => {
      const command =
        kind === 'close'
          ? closeGoalCommand(goal.id, change)
          : updateGoalCommand(goal.id, { ...change, dueDate: dueDate ?? undefined });
      await recordCommand(client, command, { retryKey, version: seen.meta?.versionId ?? '' });
      onSaved();
    },
    {
      fields,
      onConflict: showConflict,
      check: () => ({
        achievementStatus: missing(),
        dueDate: dueDate === null ? dateSentence : undefined,
      }),
      doubtsOf: () =>
        dueDate ? goalDoubts({ startDate: goal.startDate ?? '', dueDate }, patient, dayOf(new Date())) : [],
    },
  );
  const errorsOf = (field: keyof GoalChange) => submission.errors.byField.get(field);
  const set = (changed: Partial<GoalChange>) => setChange({ ...change, ...changed });
  const now = conceptName(seen.achievementStatus);
  const { title, action } = words[kind];
  return (
    <Dialog title={title} onClose={leave}>
      {newer !== null && (
        <ConflictNotice
          conflict={newer}
          onDiscard={onSaved}
          onRedo={() => {
            setSeen(newer.current);
            setNewer(null);
          }}
        />
      )}
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
          value={change.achievementStatus}
          sentences={errorsOf('achievementStatus')}
          onChange={(achievementStatus) => set({ achievementStatus })}
        />
        {kind === 'update' && (
          <DueField
            value={change.dueDate}
            sentences={errorsOf('dueDate')}
            onInput={(typed) => set({ dueDate: typed })}
          />
        )}
        <ProgressField
          value={change.progress}
          sentences={errorsOf('progress')}
          onInput={(progress) => set({ progress })}
        />
        <BarriersField
          value={change.barriers}
          sentences={errorsOf('barriers')}
          onInput={(barriers) => set({ barriers })}
        />
      </EntryForm>
    </Dialog>
  );
};
