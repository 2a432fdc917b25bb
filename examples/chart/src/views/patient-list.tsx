import { useEffect, useState } from 'preact/hooks';
import { dayOf } from '../model/dates.ts';
import { listedName } from '../model/names.ts';
import { birthOf, deathOf, recordOf } from '../model/patients.ts';
import type { Bundle, Patient } from '../model/resources.ts';
import { useClient } from './contexts.ts';
import { linkToPatient } from './patient-location.ts';

const shown = 50;

/** The patients of a text that was searched for. */
type Found = { readonly text: string; readonly bundle: Bundle<Patient> };

const PatientRow = ({ patient }: { readonly patient: Patient }) => {
  const { id, name, gender } = patient;
  return (
    <li>
      <a href={linkToPatient(id)}>
        <bdi dir="auto" class="patient-name">
          {listedName(name)}
        </bdi>
        <span class="secondary">
          {[deathOf(patient), birthOf(patient, dayOf(new Date())), gender, recordOf(patient)]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </a>
    </li>
  );
};

/** The patients, found by the beginnings of their names. */
export const PatientList = () => {
  const client = useClient();
  const [text, setText] = useState('');
  const [found, setFound] = useState<Found | null>(null);
  const [error, setError] = useState('');

  useEffect(() => {
    document.title = 'Patients · Clinical records';
    const abort = new AbortController();
    const name = text.trim();
    const search = client.searchByForm<Patient>(
      'Patient',
      { ...(name !== '' && { name }), _count: String(shown) },
      abort.signal,
    );
    search.then(
      (bundle) => {
        setFound({ text, bundle });
        setError('');
      },
      (cause) => {
        if (!abort.signal.aborted) setError(cause.message);
      },
    );
    return () => abort.abort();
  }, [client, text]);

  const patients = (found?.bundle.entry ?? [])
    .map(({ resource }) => resource)
    .sort((a, b) => listedName(a.name).localeCompare(listedName(b.name)));
  const total = found?.bundle.total ?? 0;
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
          <label for="patient-name">Name</label>
          <input
            id="patient-name"
            type="search"
            autocomplete="off"
            dir="auto"
            placeholder="The beginning of a first or last name"
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
        {found === null
          ? ''
          : `${total === 1 ? '1 patient' : `${total} patients`}${total > shown ? `, the first ${shown} of them here` : ''}`}
      </p>
      <ul class="patients">
        {patients.map((patient) => (
          <PatientRow key={patient.id} patient={patient} />
        ))}
      </ul>
    </main>
  );
};
