import { type Draft, stagedBy } from '../../model/drafts.ts';
import { useClient } from '../contexts.ts';
import { DoubtNotice } from '../forms/entry-form.tsx';
import { GeneralErrors } from '../forms/field.tsx';
import { useSubmit } from '../forms/use-submit.ts';
import { Mark } from '../section/mark.tsx';

/**
 * A staged command, with all that a commit signs, and who staged it: every colleague who sees the chart sees it. A proposal of
 * software says so.
 */
export const DraftCard = ({
  draft,
  onCommitted,
  onDiscard,
}: {
  readonly draft: Draft;
  readonly onCommitted: () => void;
  readonly onDiscard: () => void;
}) => {
  const client = useClient();
  const { title, label, facts, staged } = draft;
  const submission = useSubmit(
    async () => {
      await client.commands.commit(draft.id, { version: draft.version });
      onCommitted();
    },
    { fields: {}, validate: () => client.commands.validateCommit(draft.id) },
  );
  const { submit, isSending, isAsking, errors } = submission;
  const isProposal = staged.agent !== undefined;
  const name = isProposal ? 'Proposal' : 'Draft';
  return (
    <article class={`draft goal ${isProposal ? 'proposal' : ''}`} aria-label={`${name}: ${title}`}>
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
      <p class="facts">
        <Mark icon="draft" tone={isProposal ? 'wait' : 'accent'}>
          {name}
        </Mark>
        <span>{label}</span>
        <span class="secondary" dir="auto">
          {stagedBy(draft)} It has no effect until it is committed.
        </span>
      </p>
      {facts.length > 0 && (
        <dl class="draft-facts">
          {facts.map(({ key, label, value }) => (
            <div key={key}>
              <dt>{label}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <GeneralErrors sentences={errors.general} />
      <DoubtNotice submission={submission} />
    </article>
  );
};
