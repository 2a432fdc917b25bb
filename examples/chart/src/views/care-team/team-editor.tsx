import { useState } from 'preact/hooks';
import type { Chart } from '../../api/chart.ts';
import { membersOf, sortMembers } from '../../model/care-team.ts';
import type { FieldElements } from '../../model/outcome.ts';
import type { CareTeam } from '../../model/resources.ts';
import {
  type DraftMember,
  isPractitioner,
  isSameTeam,
  rebaseDraft,
  updateBodyOf,
} from '../../model/team-draft.ts';
import { useClient, useSettings } from '../contexts.ts';
import { Dialog } from '../dialog.tsx';
import { DoubtNotice } from '../forms/entry-form.tsx';
import { GeneralErrors, SelectField } from '../forms/field.tsx';
import { useConflict } from '../forms/use-conflict.tsx';
import { useLeave } from '../forms/use-leave.ts';
import { type Submit, useSubmit } from '../forms/use-submit.ts';
import { DraftRow } from './draft-row.tsx';
import { MemberPicker } from './member-picker.tsx';

type LoadedTeam = Chart['team'];

const draftOf = (team: CareTeam): readonly DraftMember[] => sortMembers(membersOf(team));

/** The fields of each member, by the elements of the participant. A row keeps its errors if another one is removed. */
const fieldsOf = (draft: readonly DraftMember[]): FieldElements =>
  Object.fromEntries(
    draft.flatMap(({ reference }, index): [string, RegExp][] => [
      [`role ${reference}`, new RegExp(`^CareTeam\\.participant\\[${index}\\]\\.role`)],
      ['lead', new RegExp(`^CareTeam\\.participant\\[${index}\\]\\.extension`)],
      [`member ${reference}`, new RegExp(`^CareTeam\\.participant\\[${index}\\]`)],
    ]),
  );

/** The sentence for each practitioner without a role. */
const missingRoles = (draft: readonly DraftMember[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    draft
      .filter((member) => isPractitioner(member) && member.roleCode === null)
      .map(({ reference }) => [`role ${reference}`, 'Choose a role.']),
  );

/** The choice of the lead among the practitioners. Another one takes the place of the present one. */
const LeadField = ({
  draft,
  submission: { errors, doubts },
  onChange,
}: {
  readonly draft: readonly DraftMember[];
  readonly submission: Submit;
  readonly onChange: (draft: readonly DraftMember[]) => void;
}) => (
  <SelectField
    id="lead"
    label="Lead"
    none="Nobody"
    options={Object.fromEntries(draft.filter(isPractitioner).map(({ reference, name }) => [reference, name]))}
    value={draft.find(({ isLead }) => isLead)?.reference ?? ''}
    remark={errors.byField.get('lead') ?? doubts.byField.get('lead')}
    onInput={(lead) => onChange(draft.map((member) => ({ ...member, isLead: member.reference === lead })))}
  />
);

/** The members as they are to be. */
const DraftRows = ({
  draft,
  submission,
  onChange,
}: {
  readonly draft: readonly DraftMember[];
  readonly submission: Submit;
  readonly onChange: (draft: readonly DraftMember[]) => void;
}) => (
  <ul class="draft-rows">
    {draft.map((member, index) => (
      <DraftRow
        key={member.reference}
        index={index}
        member={member}
        taken={draft.filter((other) => other !== member)}
        submission={submission}
        onChoose={(roleCode) =>
          onChange(draft.map((other) => (other === member ? { ...member, roleCode } : other)))
        }
        onRemove={() => onChange(draft.filter((other) => other !== member))}
      />
    ))}
  </ul>
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
  const [base, setBase] = useState(team);
  const [draft, setDraft] = useState(() => draftOf(team));
  const [searched, setSearched] = useState('');
  const { id } = base;
  const leave = useLeave(searched !== '' || !isSameTeam(draft, draftOf(base)), onClose);

  const conflict = useConflict<LoadedTeam>(
    { type: 'CareTeam', id },
    {
      isMade: (current) => isSameTeam(draft, draftOf(current)),
      onSaved,
      onRedo: (current) => {
        setDraft(rebaseDraft(draft, { base: draftOf(base), current: draftOf(current) }));
        setBase(current);
      },
    },
  );

  const body = updateBodyOf(id, draft, settings);
  const submission = useSubmit(
    async () => {
      await client.update(base, body);
      onSaved();
    },
    {
      fields: fieldsOf(draft),
      validate: () => client.validateUpdate(base, body),
      check: () => ({
        ...missingRoles(draft),
        searched: searched.trim() === '' ? undefined : 'Choose somebody from the list, or clear this field.',
      }),
      onConflict: () => conflict.find(base),
    },
  );

  const { submit, isSending, isAsking, errors, forgetDoubts } = submission;
  const change = (changed: readonly DraftMember[]) => {
    setDraft(changed);
    forgetDoubts();
  };

  return (
    <Dialog title="Change the care team" onClose={leave}>
      {conflict.notice}
      <GeneralErrors sentences={errors.general} />
      <DoubtNotice submission={submission} />
      <form
        class="editor"
        noValidate
        inert={isSending}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div class="fields">
          <LeadField draft={draft} submission={submission} onChange={change} />
          <DraftRows draft={draft} submission={submission} onChange={change} />
          {draft.length === 0 && draftOf(base).length > 0 && (
            <p class="notice" role="status">
              If nobody stays on the team, proposed and suspended members leave it, too.
            </p>
          )}
          <MemberPicker
            present={draft.map(({ reference }) => reference)}
            value={searched}
            remark={errors.byField.get('searched')}
            onInput={setSearched}
            onAdd={(reference, name) => {
              setSearched('');
              change([...draft, { reference, name, roleCode: null, isLead: false }]);
            }}
          />
        </div>
        <p class="form-footer">
          <button type="submit" disabled={isSending || conflict.notice !== null}>
            {isAsking ? 'Save the team anyway' : 'Save the team'}
          </button>
          <button type="button" onClick={leave}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
};
