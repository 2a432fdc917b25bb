import type { Loaded } from '../../api/client.ts';
import { commitCommand, type StagedGoal } from '../../api/commands.ts';
import { formatDate } from '../../model/dates.ts';
import { priorityConcept } from '../../model/goal-command.ts';
import { useClient } from '../contexts.ts';
import { GeneralErrors } from '../forms/field.tsx';
import { useSubmit } from '../forms/use-submit.ts';
import { Mark } from '../section/mark.tsx';
import { PriorityMark } from './goal-marks.tsx';

/** A staged goal, with all that a commit signs. */
export const GoalDraft = ({
  draft,
  onCommitted,
}: {
  readonly draft: Loaded<StagedGoal>;
  readonly onCommitted: () => void;
}) => {
  const client = useClient();
  const { description: title, startDate, dueDate, priority, progress } = draft.resource.command;
  const { submit, isSending, errors } = useSubmit(
    async () => {
      await commitCommand(client, draft);
      onCommitted();
    },
    { fields: {} },
  );
  return (
    <article class="goal" aria-label={`Draft: ${title}`}>
      <div class="goal-head">
        <h3 dir="auto">{title}</h3>
        <button type="button" aria-label={`Commit: ${title}`} disabled={isSending} onClick={submit}>
          Commit
        </button>
      </div>
      <p class="goal-facts">
        <Mark icon="draft" tone="plain">
          Draft
        </Mark>
        <PriorityMark priority={priority && priorityConcept(priority)} />
        {startDate !== undefined && <span class="secondary">from {formatDate(startDate)}</span>}
        {dueDate != null && <span class="secondary">due {formatDate(dueDate)}</span>}
      </p>
      {progress !== undefined && <p dir="auto">{progress}</p>}
      <p class="secondary">
        It has no effect until you commit it. It is shown only here, until you leave this chart.
      </p>
      <GeneralErrors sentences={errors.general} />
    </article>
  );
};
