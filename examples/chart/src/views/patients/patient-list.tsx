import { useEffect, useState } from 'preact/hooks';
import { dayOf, quantity } from '../../model/dates.ts';
import { birthOf, deathOf, recordOf } from '../../model/patients.ts';
import type { Patient } from '../../model/resources.ts';
import { linkToPatient } from './patient-location.ts';
import { PatientName } from './patient-name.tsx';
import { usePatientSearch } from './use-patient-search.ts';

const shown = 50;

/** The facts of the banner, each in its column. */
const PatientRow = ({ patient }: { readonly patient: Patient }) => {
  const death = deathOf(patient);
  return (
    <tr class={death === undefined ? undefined : 'deceased'}>
      <th scope="row">
        <a href={linkToPatient(patient.id)}>
          <PatientName name={patient.name} />
        </a>
        {death !== undefined && <strong class="death">{death}</strong>}
      </th>
      <td>{birthOf(patient, dayOf(new Date())) ?? 'not known'}</td>
      <td>{patient.gender ?? 'not known'}</td>
      <td>
        <bdi dir="auto">{recordOf(patient)}</bdi>
      </td>
    </tr>
  );
};

/** The patients, found by the beginnings of their names, by a number, or by the birth date. */
export const PatientList = () => {
  const [text, setText] = useState('');
  const { found, error } = usePatientSearch(text, shown);
  useEffect(() => {
    document.title = 'Patients · Clinical records';
  }, []);
  const { patients = [], total = 0 } = found ?? {};
  return (
    <main class="patient-list">
      <h1>Patients</h1>
      <search>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const [only] = patients;
            // Until the patients of this text are here, the list has those of an earlier one.
            if (found?.text === text && patients.length === 1 && only !== undefined)
              location.hash = linkToPatient(only.id);
          }}
        >
          <label for="patient-search">Name, number or birth date</label>
          <input
            id="patient-search"
            type="search"
            autocomplete="off"
            dir="auto"
            placeholder="Such as ros alv, R-1001 or 23.8.1961"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </form>
      </search>
      {error !== '' && (
        <p class="notice" role="alert">
          {error}
        </p>
      )}
      <p class="secondary" role="status">
        {found !== null &&
          `${quantity(total, 'patient')}${total > shown ? `, the first ${shown} of them here` : ''}`}
      </p>
      {patients.length > 0 && (
        <table class="patients">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Born</th>
              <th scope="col">Sex</th>
              <th scope="col">Number</th>
            </tr>
          </thead>
          <tbody>
            {patients.map((patient) => (
              <PatientRow key={patient.id} patient={patient} />
            ))}
          </tbody>
        </table>
      )}
    </main>
  );
};
