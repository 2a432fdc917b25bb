import { useState } from 'preact/hooks';
import { usePossibleMembers } from '../use-possible-members.tsx';

/** Adds somebody who is not on the team yet. */
export const MemberPicker = ({
  present,
  onAdd,
}: {
  readonly present: readonly string[];
  readonly onAdd: (reference: string, name: string) => void;
}) => {
  const names = usePossibleMembers();
  const [reference, setReference] = useState('');
  const candidates = [...names].filter(([one]) => !present.includes(one));
  return (
    <div class="member-picker">
      <label for="new-member">Add a practitioner or an organization</label>
      <select id="new-member" value={reference} onChange={(event) => setReference(event.currentTarget.value)}>
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
          setReference('');
        }}
      >
        Add
      </button>
    </div>
  );
};
