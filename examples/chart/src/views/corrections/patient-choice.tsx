import { useState } from 'preact/hooks';
import { dayOf } from '../../model/dates/dates.ts';
import { listedName } from '../../model/names.ts';
import { birthOf, deathOf, recordOf } from '../../model/patients.ts';
import type { Patient } from '../../model/resources.ts';
import { usePatient } from '../contexts.ts';
import { usePatientSearch } from '../patients/use-patient-search.ts';

/** The most patients of a list: somebody who sees more writes more. */
const most = 8;

const Found = ({
  text,
  label,
  onChoose,
}: {
  readonly text: string;
  readonly label: string;
  readonly onChoose: (patient: Patient) => void;
}) => {
  const { id } = usePatient();
  const { found, error } = usePatientSearch(text, most);
  const others = found?.patients.filter((patient) => patient.id !== id) ?? [];
  return (
    <>
      <p class="secondary" role="status">
        {error}
        {error === '' && found !== null && others.length === 0 && 'Nobody else is found.'}
      </p>
      <ul class="rows">
        {others.map((patient) => (
          <li key={patient.id}>
            <button type="button" class="patient-choice" onClick={() => onChoose(patient)}>
              {label} <bdi dir="auto">{listedName(patient.name)}</bdi>,{' '}
              {birthOf(patient, dayOf(new Date())) ?? 'birth date not known'}, {recordOf(patient)}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
};

/** Finds another patient by name, number or birth date. */
export const PatientChoice = ({
  label,
  onChoose,
}: {
  /** The effect of a choice, such as `Move to`. */
  readonly label: string;
  readonly onChoose: (patient: Patient) => void;
}) => {
  const [text, setText] = useState('');
  return (
    <div class="editor">
      <label for="other-patient">Name, number or birth date of the other patient</label>
      <input
        id="other-patient"
        type="search"
        autocomplete="off"
        dir="auto"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {text.trim().length > 1 && <Found text={text.trim()} label={label} onChoose={onChoose} />}
    </div>
  );
};

const facts = {
  Name: ({ name }: Patient) => listedName(name),
  Born: (patient: Patient) => birthOf(patient, dayOf(new Date())) ?? 'not known',
  Sex: ({ gender }: Patient) => gender ?? 'not known',
  Number: (patient: Patient) => recordOf(patient),
  Died: (patient: Patient) => deathOf(patient) ?? '',
};

/** Two patients side by side, so that nobody is taken for the other. */
export const PatientsBeside = ({
  columns,
}: {
  /** Two patients by their headings. */
  readonly columns: Readonly<Record<string, Patient>>;
}) => (
  <table class="patients">
    <thead>
      <tr>
        <td />
        {Object.keys(columns).map((heading) => (
          <th key={heading} scope="col">
            {heading}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {Object.entries(facts)
        .map(([name, factOf]) => [name, Object.values(columns).map(factOf)] as const)
        .filter(([, values]) => values.some((value) => value !== ''))
        .map(([name, values]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {values.map((value, at) => (
              <td key={Object.keys(columns)[at]}>
                <bdi dir="auto">{value}</bdi>
              </td>
            ))}
          </tr>
        ))}
    </tbody>
  </table>
);
