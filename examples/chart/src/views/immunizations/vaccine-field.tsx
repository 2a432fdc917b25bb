import { codeOfVaccine } from '../../model/immunization/immunization-bodies.ts';
import { vaccines } from '../../model/immunization/vaccine-codes.ts';
import { describedBy, type Field, FieldNote } from '../forms/field.tsx';

/** A vaccine, found by a search of the codes. A name that has no code is recorded as it is written. */
export const VaccineField = ({ value, remark, onInput }: Field) => {
  const code = codeOfVaccine(value);
  return (
    <>
      <label for="vaccine">Vaccine</label>
      <input
        id="vaccine"
        list="vaccines"
        autocomplete="off"
        dir="auto"
        placeholder="A part of the name, such as hep b"
        value={value}
        {...describedBy('vaccine-error', remark)}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <datalist id="vaccines">
        {Object.values(vaccines).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <p class="understood secondary" aria-live="polite">
        {value.trim() !== '' &&
          (code === undefined ? 'Not in the list. It is recorded as you write it.' : `Code ${code} of CVX`)}
      </p>
      <FieldNote id="vaccine-error" remark={remark} />
    </>
  );
};
