import { findVaccines, vaccineNamed } from '../../model/immunization/find-vaccines.ts';
import type { Field } from '../forms/field.tsx';
import { type Choice, Picker } from '../forms/picker.tsx';

const otherKey = 'other';

/** A vaccine of the list, found by a word, a trade name or its code; or another one, in the words of the user. */
export const VaccineField = ({
  isOther,
  onOther,
  ...field
}: Field & {
  /** Whether the user has said that it is not in the list. */
  readonly isOther: boolean;
  readonly onOther: () => void;
}) => {
  const text = field.value.trim();
  const listed = vaccineNamed(text);
  const isChosen = isOther || listed !== undefined;
  const other: readonly Choice[] =
    text === '' ? [] : [{ key: otherKey, name: `Other: ${text}`, detail: 'not in the list' }];
  const choices = [...findVaccines(text).map(({ code, ...rest }) => ({ key: code, ...rest })), ...other];
  const hint = listed === undefined ? 'Not in the list: recorded as you write it.' : listed.detail;
  return (
    <Picker
      id="vaccine"
      label="Vaccine"
      placeholder="A word, a trade name or its CVX code"
      choices={isChosen ? [] : choices}
      hint={isChosen ? hint : ''}
      onChoose={({ key, name }) => (key === otherKey ? onOther() : field.onInput(name))}
      {...field}
    />
  );
};
