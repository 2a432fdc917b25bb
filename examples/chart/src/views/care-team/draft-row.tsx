import type { FieldRemark } from '../../model/outcome.ts';
import { type DraftMember, holderOf, isPractitioner, roleCodeOf } from '../../model/team-draft.ts';
import { useSettings } from '../contexts.ts';
import { describedBy, FieldNote } from '../forms/field.tsx';
import type { Submit } from '../forms/use-submit.ts';

/** The roles, of which a practitioner can choose those that nobody else has. */
const RoleSelect = ({
  index,
  member,
  taken,
  remark,
  onChoose,
}: {
  readonly index: number;
  readonly member: DraftMember;
  readonly taken: readonly DraftMember[];
  readonly remark: FieldRemark | undefined;
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
        {...describedBy(`role-error-${index}`, remark)}
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
  submission: { errors, doubts },
  onChange,
  onRemove,
}: {
  readonly index: number;
  readonly member: DraftMember;
  /** The other members, whose roles a practitioner cannot hold, too. */
  readonly taken: readonly DraftMember[];
  readonly submission: Submit;
  readonly onChange: (changed: Partial<DraftMember>) => void;
  readonly onRemove: () => void;
}) => {
  const { reference, name, isLead } = member;
  const remarkOn = (field: string) =>
    errors.byField.get(`${field} ${reference}`) ?? doubts.byField.get(`${field} ${reference}`);
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
        remark={remarkOn('role')}
        onChoose={(chosen) => onChange({ roleCode: chosen })}
      />
      {isPractitioner(member) && (
        <label class="choice">
          <input
            type="radio"
            name="lead"
            checked={isLead}
            {...describedBy(`lead-error-${index}`, remarkOn('lead'))}
            onChange={() => onChange({ isLead: true })}
          />
          Lead<span class="unseen"> is {name}</span>
        </label>
      )}
      <FieldNote id={`role-error-${index}`} remark={remarkOn('role')} />
      <FieldNote id={`lead-error-${index}`} remark={remarkOn('lead')} />
      <FieldNote id={`member-error-${index}`} remark={remarkOn('member')} />
    </li>
  );
};
