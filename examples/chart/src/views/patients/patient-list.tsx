import { useEffect, useState } from 'preact/hooks';
import { quantity } from '../../model/dates/dates.ts';
import type { PatientAtWork } from '../../model/work.ts';
import { Alert } from '../alert.tsx';
import { Mark } from '../section/mark.tsx';
import { linkToDrafts, linkToPatient } from './patient-location.ts';
import { type ListedPatient, PatientTable } from './patient-table.tsx';
import { useMyPatients } from './use-my-patients.ts';
import { usePatientSearch } from './use-patient-search.ts';

/** So many patients are shown at first, and more with each request for them. */
const step = 50;

const withMarks = ({ patient, overdueGoals, drafts }: PatientAtWork): ListedPatient => ({
  patient,
  marks: (
    <span class="work">
      {overdueGoals > 0 && (
        <Mark icon="overdue" tone="wait">
          {quantity(overdueGoals, 'goal')} overdue
        </Mark>
      )}
      {drafts > 0 && (
        <a href={linkToDrafts(patient.id)}>
          <Mark icon="draft" tone="accent">
            {quantity(drafts, 'draft')} to commit
          </Mark>
        </a>
      )}
    </span>
  ),
});

/** The first screen: the patients of the user, with the work that waits; and all patients by name, number or birth date. */
export const PatientList = () => {
  const [text, setText] = useState('');
  const [most, setMost] = useState(step);
  const { found, error } = usePatientSearch(text, most);
  const { mine, error: mineError } = useMyPatients();
  useEffect(() => {
    document.title = 'Patients · Clinical records';
  }, []);
  const { patients = [], total = 0 } = found ?? {};
  const showsMine = text.trim() === '' && mine !== null && mine.length > 0;
  const count = `${quantity(total, 'patient')}${total > most ? `, the first ${most} of them here` : ''}`;
  const all = showsMine ? mine.length : total;
  return (
    <main id="main" tabIndex={-1} class="patient-list" aria-busy={found === null || mine === null}>
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
            onInput={(event) => {
              setText(event.currentTarget.value);
              setMost(step);
            }}
          />
        </form>
      </search>
      {[error, mineError].filter(Boolean).map((sentence) => (
        <Alert key={sentence} sentence={sentence} />
      ))}
      <p class="secondary" role="status">
        {found !== null &&
          (showsMine ? `${quantity(mine.length, 'patient')} of yours. Search finds all ${total}.` : count)}
      </p>
      {showsMine ? (
        <PatientTable caption="My patients" patients={mine.slice(0, most).map(withMarks)} />
      ) : (
        mine !== null && (
          <PatientTable
            caption={text.trim() === '' ? 'All patients' : 'Patients found'}
            patients={patients.map((patient) => ({ patient }))}
          />
        )
      )}
      {(found === null || mine === null) && error === '' && <div class="skeleton" aria-hidden="true" />}
      {all > most && (
        <button type="button" class="show-all" onClick={() => setMost(most + step)}>
          Show {Math.min(step, all - most)} more of {all} patients
        </button>
      )}
    </main>
  );
};
