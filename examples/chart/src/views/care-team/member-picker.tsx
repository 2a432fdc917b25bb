import { hasWords } from '../../model/search/word-search.ts';
import type { Field } from '../forms/field.tsx';
import { Picker } from '../forms/picker.tsx';
import { usePossibleMembers } from '../use-possible-members.tsx';

const kindOf = (reference: string): string =>
  reference.startsWith('Practitioner/') ? 'Practitioner' : 'Organization';

/** Finds somebody who is not on the team yet by a part of the name, and adds them. */
export const MemberPicker = ({
  present,
  onAdd,
  ...field
}: Field & {
  readonly present: readonly string[];
  readonly onAdd: (reference: string, name: string) => void;
}) => {
  const choices = [...usePossibleMembers()]
    .map(([reference, name]) => ({ key: reference, name, detail: kindOf(reference) }))
    .filter(
      ({ key, name, detail }) => !present.includes(key) && hasWords(`${name} ${detail}`, field.value.trim()),
    )
    .toSorted((a, b) => b.detail.localeCompare(a.detail) || a.name.localeCompare(b.name));
  return (
    <Picker
      id="new-member"
      label="Add a practitioner or an organization"
      placeholder="A part of the name"
      choices={choices}
      hint={field.value.trim() !== '' && choices.length === 0 ? 'Nobody of this name can be added.' : ''}
      onChoose={({ key, name }) => onAdd(key, name)}
      {...field}
    />
  );
};
