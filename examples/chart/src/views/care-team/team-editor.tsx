import { useState } from 'preact/hooks';
import type { Chart } from '../../api/chart.ts';
import { loadConflict } from '../../api/conflict.ts';
import { membersOf, sortMembers } from '../../model/care-team.ts';
import type { FieldElements } from '../../model/outcome.ts';
import {
  type DraftMember,
  isPractitioner,
  isSameTeam,
  rebaseDraft,
  updateBodyOf,
} from '../../model/team-draft.ts';
import { useClient, useSettings } from '../contexts.ts';
import { Dialog } from '../dialog.tsx';
import { type Conflict, ConflictNotice } from '../forms/conflict-notice.tsx';
import { GeneralErrors } from '../forms/field.tsx';
import { useLeave } from '../forms/use-leave.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { usePossibleMembers } from '../use-possible-members.tsx';
import { DraftRow } from './draft-row.tsx';
import { MemberPicker } from './member-picker.tsx';

type LoadedTeam = Chart['team'];

const draftOf = ({ resource }: LoadedTeam): readonly DraftMember[] => sortMembers(membersOf(resource));

/** The fields of each member, by the elements of the participant. A row keeps its errors if another one is removed. */
const fieldsOf = (draft: readonly DraftMember[]): FieldElements =>
  Object.fromEntries(
    draft.flatMap(({ reference }, index): [string, RegExp][] => [
      [`role ${reference}`, new RegExp(`^CareTeam\\.participant\\[${index}\\]\\.role`)],
      [`lead ${reference}`, new RegExp(`^CareTeam\\.participant\\[${index}\\]\\.extension`)],
      [`member ${reference}`, new RegExp(`^CareTeam\\.participant\\[${index}\\]`)],
    ]),
  );

/** Edits the whole team at once, as the update of the interface does: only if nobody else has changed it. */
export const TeamEditor = ({
  team,
  onClose,
  onSaved,
}: {
  readonly team: LoadedTeam;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) => {
  const client = useClient();
  const settings = useSettings();
  const names = usePossibleMembers();
  const [base, setBase] = useState(team);
  const [draft, setDraft] = useState(() => draftOf(team));
  const [newer, setNewer] = useState<(Conflict & { readonly team: LoadedTeam }) | null>(null);
  const [chosen, setChosen] = useState('');
  const { id } = base.resource;
  const leave = useLeave(chosen !== '' || !isSameTeam(draft, draftOf(base)), onClose);

  const { submit, isSending, errors } = useSubmit(
    async () => {
      await client.write('PUT', `CareTeam/${encodeURIComponent(id)}`, {
        body: updateBodyOf(id, draft, settings),
        ifMatch: base.etag,
      });
      onSaved();
    },
    {
      fields: fieldsOf(draft),
      check: () =>
        Object.fromEntries(
          draft
            .filter((member) => isPractitioner(member) && member.roleCode === null)
            .map(({ reference }) => [`role ${reference}`, 'Choose a role.']),
        ),
      onConflict: async () => {
        const { current, author, changes } = await loadConflict(
          client,
          { type: 'CareTeam', id },
          base.resource,
        );
        // The team was saved already, and only the response was lost.
        if (isSameTeam(draft, draftOf(current))) return onSaved();
        setNewer({ team: current, author: names.get(author ?? '') ?? 'Somebody', changes });
      },
    },
  );

  const change = (index: number, changed: Partial<DraftMember>) =>
    setDraft(
      draft.map((member, at) => {
        if (at === index) return { ...member, ...changed };
        return changed.isLead === true ? { ...member, isLead: false } : member;
      }),
    );

  return (
    <Dialog title="Change the care team" onClose={leave}>
      {newer !== null && (
        <ConflictNotice
          conflict={newer}
          onDiscard={() => {
            onSaved();
          }}
          onRedo={() => {
            setDraft(rebaseDraft(draft, { base: draftOf(base), current: draftOf(newer.team) }));
            setBase(newer.team);
            setNewer(null);
          }}
        />
      )}
      <GeneralErrors sentences={errors.general} />
      <form
        class="editor"
        noValidate
        inert={isSending}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <ul class="draft-rows">
          {draft.map((member, index) => (
            <DraftRow
              key={member.reference}
              index={index}
              member={member}
              taken={draft.filter((other) => other !== member)}
              errors={errors}
              onChange={(changed) => change(index, changed)}
              onRemove={() => setDraft(draft.filter((_, at) => at !== index))}
            />
          ))}
        </ul>
        {draft.length === 0 && (
          <p class="notice" role="status">
            If nobody stays on the team, proposed and suspended members leave it, too.
          </p>
        )}
        <MemberPicker
          present={draft.map(({ reference }) => reference)}
          chosen={chosen}
          onChoose={setChosen}
          onAdd={(reference, name) =>
            setDraft([...draft, { reference, name, roleCode: null, isLead: false }])
          }
        />
        <p class="form-actions">
          <button type="submit" disabled={isSending || newer !== null || chosen !== ''}>
            Save the team
          </button>
          <button type="button" onClick={leave}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
};
