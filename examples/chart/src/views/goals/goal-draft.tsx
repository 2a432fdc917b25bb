import type { Loaded } from '../../api/client.ts';
import { formatDate } from '../../model/dates.ts';
import { committedGoalBody } from '../../model/goal-bodies.ts';
import type { StagedGoal } from '../../model/resources.ts';
import { useClient } from '../contexts.ts';
import { GeneralErrors } from '../forms/field.tsx';
import { useSubmit } from '../forms/use-submit.ts';
import { Mark } from '../section/mark.tsx';
import { PriorityMark } from './goal-marks.tsx';

/** A staged goal, with all that a commit signs. */
export const GoalDraft = ({
  draft: { resource, etag },
  onCommitted,
}: {
  readonly draft: Loaded<StagedGoal>;
  readonly onCommitted: () => void;
}) => {
  const client = useClient();
  const { id, description, startDate, target, priority, note = [] } = resource;
  const title = description.text;
  const { submit, isSending, errors } = useSubmit(
    async () => {
      await client.write('PUT', `Goal/${encodeURIComponent(id)}`, {
        body: committedGoalBody(resource),
        ifMatch: etag,
      });
      onCommitted();
    },
    { fields: {} },
  );
  const dueDate = target?.[0]?.dueDate;
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
        <PriorityMark priority={priority} />
        {startDate !== undefined && <span class="secondary">from {formatDate(startDate)}</span>}
        {dueDate !== undefined && <span class="secondary">due {formatDate(dueDate)}</span>}
      </p>
      {note.map(({ id, text }) => (
        <p key={id} dir="auto">
          {text}
        </p>
      ))}
      <p class="secondary">
        It has no effect until you commit it. It is shown only here, until you leave this chart.
      </p>
      <GeneralErrors sentences={errors.general} />
    </article>
  );
};
