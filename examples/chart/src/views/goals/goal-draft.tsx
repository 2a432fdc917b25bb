import type { StagedGoal } from '../../api/commands.ts';
import { formatDate, formatDay } from '../../model/dates/dates.ts';
import { priorityConcept } from '../../model/goal-command.ts';
import { useClient } from '../contexts.ts';
import { DoubtNotice } from '../forms/entry-form.tsx';
import { GeneralErrors } from '../forms/field.tsx';
import { useSubmit } from '../forms/use-submit.ts';
import { Mark } from '../section/mark.tsx';
import { PriorityMark } from './goal-marks.tsx';

/** That it is a draft and whose, its priority and its dates. */
const DraftFacts = ({ draft: { staged, command } }: { readonly draft: StagedGoal }) => {
  const { startDate, dueDate, priority } = command;
  return (
    <p class="goal-facts">
      <Mark icon="draft" tone="accent">
        Draft
      </Mark>
      <PriorityMark priority={priority && priorityConcept(priority)} />
      {startDate !== undefined && <span class="secondary">from {formatDate(startDate)}</span>}
      {dueDate != null && <span class="secondary">due {formatDate(dueDate)}</span>}
      <span class="secondary">
        {staged !== undefined && (
          <>
            Staged by <bdi dir="auto">{staged.byDisplay ?? staged.by ?? 'somebody'}</bdi> on{' '}
            {formatDay(staged.at)}.{' '}
          </>
        )}
        It has no effect until it is committed.
      </span>
    </p>
  );
};

/** A staged goal, with all that a commit signs. Every colleague who sees the chart sees it. */
export const GoalDraft = ({
  draft,
  onCommitted,
  onDiscard,
}: {
  readonly draft: StagedGoal;
  readonly onCommitted: () => void;
  readonly onDiscard: () => void;
}) => {
  const client = useClient();
  const { description: title, progress } = draft.command;
  const submission = useSubmit(
    async () => {
      await client.commands.commit(draft.id, { version: draft.version });
      onCommitted();
    },
    { fields: {}, validate: () => client.commands.validateCommit(draft.id) },
  );
  const { submit, isSending, isAsking, errors } = submission;
  return (
    <article class="goal" aria-label={`Draft: ${title}`}>
      <div class="goal-head">
        <h3 dir="auto">{title}</h3>
        <div class="actions">
          <button
            type="button"
            class="main-action"
            aria-label={`Commit: ${title}`}
            disabled={isSending}
            onClick={submit}
          >
            {isAsking ? 'Commit anyway' : 'Commit'}
          </button>
          <button
            type="button"
            class="quiet"
            aria-label={`Discard: ${title}`}
            disabled={isSending}
            onClick={onDiscard}
          >
            Discard
          </button>
        </div>
      </div>
      <DraftFacts draft={draft} />
      {progress !== undefined && <p dir="auto">{progress}</p>}
      <GeneralErrors sentences={errors.general} />
      <DoubtNotice submission={submission} />
    </article>
  );
};
