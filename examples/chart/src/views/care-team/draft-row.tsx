import type { FieldErrors } from '../../model/outcome.ts';
import { type DraftMember, holderOf, isPractitioner, roleCodeOf } from '../../model/team-draft.ts';
import { useSettings } from '../contexts.ts';
import { describedBy, FieldError } from '../forms/field.tsx';

/** The roles, of which a practitioner can choose those that nobody else has. */
const RoleSelect = ({
  index,
  member,
  taken,
  sentences,
  onChoose,
}: {
  readonly index: number;
  readonly member: DraftMember;
  readonly taken: readonly DraftMember[];
  readonly sentences: readonly string[] | undefined;
  readonly onChoose: (roleCode: string | null) => void;
}) => {
  const { roles } = useSettings();
  return (
    <>
      <label class="unseen" for={`role-${index}`}>
        Role of {member.name}
      </label>
      <select
        id={`role-${index}`}
        value={member.roleCode ?? ''}
        {...describedBy(`role-error-${index}`, sentences)}
        onChange={(event) => onChoose(event.currentTarget.value || null)}
      >
        <option value="">No role</option>
        {roles.map((role) => {
          const code = roleCodeOf(role);
          const holder = isPractitioner(member) ? holderOf(code, taken) : undefined;
          return (
            <option key={code} value={code} disabled={holder !== undefined}>
              {holder === undefined ? role.display : `${role.display} (${holder})`}
            </option>
          );
        })}
      </select>
    </>
  );
};

/** A member in the editor: the role, whether it is the lead, and the way out of the team. */
export const DraftRow = ({
  index,
  member,
  taken,
  errors: { byField },
  onChange,
  onRemove,
}: {
  readonly index: number;
  readonly member: DraftMember;
  /** The other members, whose roles a practitioner cannot hold, too. */
  readonly taken: readonly DraftMember[];
  readonly errors: FieldErrors;
  readonly onChange: (changed: Partial<DraftMember>) => void;
  readonly onRemove: () => void;
}) => {
  const { reference, name, isLead } = member;
  const errorsOf = (field: string) => byField.get(`${field} ${reference}`);
  return (
    <li class="draft-row">
      <div class="draft-name">
        <bdi dir="auto">{name}</bdi>
        <button type="button" class="quiet" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </button>
      </div>
      <RoleSelect
        index={index}
        member={member}
        taken={taken}
        sentences={errorsOf('role')}
        onChoose={(chosen) => onChange({ roleCode: chosen })}
      />
      {isPractitioner(member) && (
        <label class="choice">
          <input
            type="radio"
            name="lead"
            checked={isLead}
            {...describedBy(`lead-error-${index}`, errorsOf('lead'))}
            onChange={() => onChange({ isLead: true })}
          />
          Lead<span class="unseen"> is {name}</span>
        </label>
      )}
      <FieldError id={`role-error-${index}`} sentences={errorsOf('role')} />
      <FieldError id={`lead-error-${index}`} sentences={errorsOf('lead')} />
      <FieldError id={`member-error-${index}`} sentences={errorsOf('member')} />
    </li>
  );
};
