import type { FieldRemark } from '../../model/outcome.ts';
import { type DraftMember, holderOf, isPractitioner, roleCodeOf } from '../../model/team-draft.ts';
import { useSettings } from '../contexts.ts';
import { describedBy, FieldNote } from '../forms/field.tsx';
import type { Submit } from '../forms/use-submit.ts';

/** The roles, of which a practitioner has to choose one that nobody else has. An organization may have none. */
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
  const needsRole = isPractitioner(member);
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
        <option value="" disabled={needsRole}>
          {needsRole ? 'Choose a role' : 'No role'}
        </option>
        {roles.map((role) => {
          const code = roleCodeOf(role);
          const holder = needsRole ? holderOf(code, taken) : undefined;
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

/** A member in the editor: the role, and the way out of the team. */
export const DraftRow = ({
  index,
  member,
  taken,
  submission: { errors, doubts },
  onChoose,
  onRemove,
}: {
  readonly index: number;
  readonly member: DraftMember;
  /** The other members, whose roles a practitioner cannot hold, too. */
  readonly taken: readonly DraftMember[];
  readonly submission: Submit;
  readonly onChoose: (roleCode: string | null) => void;
  readonly onRemove: () => void;
}) => {
  const { reference, name } = member;
  const remarkOn = (field: string) =>
    errors.byField.get(`${field} ${reference}`) ?? doubts.byField.get(`${field} ${reference}`);
  return (
    <li class="draft-row">
      <bdi dir="auto" class="draft-name">
        {name}
      </bdi>
      <RoleSelect {...{ index, member, taken, onChoose }} remark={remarkOn('role')} />
      <button type="button" class="quiet" aria-label={`Remove ${name}`} onClick={onRemove}>
        Remove
      </button>
      <FieldNote id={`role-error-${index}`} remark={remarkOn('role')} />
      <FieldNote id={`member-error-${index}`} remark={remarkOn('member')} />
    </li>
  );
};
