import { useState } from 'preact/hooks';
import { type Statement, statementBody, vaccines } from '../../model/immunization-bodies.ts';
import { useClient } from '../contexts.ts';
import { Dialog } from '../dialog.tsx';
import { EntryForm } from '../forms/entry-form.tsx';
import { describedBy, FieldError, SelectField, TextField } from '../forms/field.tsx';
import { useRetryKey } from '../forms/use-retry-key.ts';
import { useSubmit } from '../forms/use-submit.ts';

const fields = {
  vaccine: /^Immunization\.vaccineCode/,
  date: /^Immunization\.occurrence/,
  note: /^Immunization\.note/,
};

/** Records a vaccine that was given elsewhere. */
export const StatementForm = ({
  patientId,
  onClose,
  onSaved,
}: {
  readonly patientId: string;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) => {
  const client = useClient();
  const [statement, setStatement] = useState<Statement>({ vaccine: '', date: '', note: '' });
  const retryKey = useRetryKey();
  const submission = useSubmit(
    async () => {
      await client.write('POST', 'Immunization', { body: statementBody(patientId, statement), retryKey });
      onSaved();
    },
    { fields },
  );
  const errorsOf = (field: keyof Statement) => submission.errors.byField.get(field);
  const set = (changed: Partial<Statement>) => setStatement({ ...statement, ...changed });
  return (
    <Dialog title="Record an immunization" onClose={onClose}>
      <p class="secondary">For a vaccine that was given elsewhere, such as one on the patient’s card.</p>
      <EntryForm action="Record" submission={submission} onCancel={onClose}>
        <SelectField
          id="vaccine"
          label="Vaccine"
          none="Choose …"
          options={vaccines}
          value={statement.vaccine}
          sentences={errorsOf('vaccine')}
          onChange={(vaccine) => set({ vaccine })}
        />
        <TextField
          id="date"
          label="When: a year, a month such as 2019-05, or a day such as 2019-05-14"
          inputMode="numeric"
          value={statement.date}
          sentences={errorsOf('date')}
          onInput={(date) => set({ date })}
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
