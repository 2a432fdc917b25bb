import { usePossibleMembers } from '../use-possible-members.tsx';

/** Adds somebody who is not on the team yet. */
export const MemberPicker = ({
  present,
  chosen: reference,
  onChoose,
  onAdd,
}: {
  readonly present: readonly string[];
  /** The reference of the member to add; empty if nobody is chosen. */
  readonly chosen: string;
  readonly onChoose: (reference: string) => void;
  readonly onAdd: (reference: string, name: string) => void;
}) => {
  const names = usePossibleMembers();
  const candidates = [...names].filter(([one]) => !present.includes(one));
  return (
    <div class="member-picker">
      <label for="new-member">Add a practitioner or an organization</label>
      <select id="new-member" value={reference} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="">Choose …</option>
        {candidates.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
      <button
        type="button"
        disabled={reference === ''}
        onClick={() => {
          onAdd(reference, names.get(reference) ?? reference);
          onChoose('');
        }}
      >
        Add
      </button>
      {reference !== '' && (
        <p class="secondary" role="status">
          Press Add to put <bdi dir="auto">{names.get(reference)}</bdi> on the team, or choose nobody.
        </p>
      )}
    </div>
  );
};
