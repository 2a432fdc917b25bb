import { useState } from 'preact/hooks';
import { dayOf } from '../../model/dates.ts';
import { type Statement, statementBody } from '../../model/immunization-bodies.ts';
import { doseDoubts } from '../../model/plausibility.ts';
import type { Immunization } from '../../model/resources.ts';
import { useClient, usePatient } from '../contexts.ts';
import { Dialog } from '../dialog.tsx';
import { DateField, dateSentence, readDate } from '../forms/date-field.tsx';
import { EntryForm } from '../forms/entry-form.tsx';
import { describedBy, FieldError } from '../forms/field.tsx';
import { useLeave } from '../forms/use-leave.ts';
import { useRetryKey } from '../forms/use-retry-key.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { VaccineField } from './vaccine-field.tsx';

const fields = {
  vaccine: /^Immunization\.vaccineCode/,
  date: /^Immunization\.occurrence/,
  note: /^Immunization\.note/,
};

/** Records a vaccine that was given elsewhere. */
export const StatementForm = ({
  recorded,
  onClose,
  onSaved,
}: {
  /** The immunizations in the chart. */
  readonly recorded: readonly Immunization[];
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}) => {
  const client = useClient();
  const patient = usePatient();
  const [statement, setStatement] = useState<Statement>({ vaccine: '', date: '', note: '' });
  const leave = useLeave(
    Object.values(statement).some((value) => value !== ''),
    onClose,
  );
  const retryKey = useRetryKey();
  const date = readDate(statement.date);
  const body = statementBody(patient.id, { ...statement, date: date ?? '' });
  const submission = useSubmit(
    async () => {
      const { resource } = await client.create<Immunization>('Immunization', { body, retryKey });
      onSaved(resource.id);
    },
    {
      fields,
      check: () => ({
        vaccine: statement.vaccine.trim() === '' ? 'Choose a vaccine, or write its name.' : undefined,
        date: date === '' || date === null ? dateSentence : undefined,
      }),
      doubtsOf: () => doseDoubts(body, patient, { recorded, today: dayOf(new Date()) }),
    },
  );
  const errorsOf = (field: keyof Statement) => submission.errors.byField.get(field);
  const set = (changed: Partial<Statement>) => setStatement({ ...statement, ...changed });
  return (
    <Dialog title="Record an immunization" onClose={leave}>
      <p class="secondary">For a vaccine that was given elsewhere, such as one on the patient’s card.</p>
      <EntryForm action="Record" submission={submission} onCancel={leave}>
        <VaccineField
          value={statement.vaccine}
          sentences={errorsOf('vaccine')}
          onInput={(vaccine) => set({ vaccine })}
        />
        <DateField
          id="date"
          label="When"
          value={statement.date}
          sentences={errorsOf('date')}
          onInput={(typed) => set({ date: typed })}
        />
        <label for="note">Comment</label>
        <textarea
          id="note"
          rows={3}
          dir="auto"
          value={statement.note}
          {...describedBy('note-error', errorsOf('note'))}
          onInput={(event) => set({ note: event.currentTarget.value })}
        />
        <FieldError id="note-error" sentences={errorsOf('note')} />
      </EntryForm>
    </Dialog>
  );
};
