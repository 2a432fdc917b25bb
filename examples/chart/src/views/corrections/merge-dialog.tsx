import type { MergePreview } from '@clinical-records/client';
import { useState } from 'preact/hooks';
import { countsInWords, isSameName } from '../../model/corrections.ts';
import type { Patient } from '../../model/resources.ts';
import { Alert } from '../alert.tsx';
import { useClient, usePatient } from '../contexts.ts';
import { Dialog } from '../dialog.tsx';
import { DateField, readDate } from '../forms/date-field.tsx';
import { EntryForm } from '../forms/entry-form.tsx';
import { createFields, TextField } from '../forms/field.tsx';
import { useLeave } from '../forms/use-leave.ts';
import { useRetryKey } from '../forms/use-retry-key.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { Corrections } from './corrections.tsx';
import { PatientChoice, PatientsBeside } from './patient-choice.tsx';
import { usePreview } from './use-preview.ts';

const emptyForm = { name: '', born: '', reason: '' };

/** Asks who is replaced, and why, and merges the charts. */
const MergeForm = ({
  preview,
  replaced,
  onAgain,
  onCancel,
  onMerged,
}: {
  readonly preview: MergePreview;
  readonly replaced: Patient;
  readonly onAgain: () => Promise<void>;
  readonly onCancel: () => void;
  readonly onMerged: () => void;
}) => {
  const client = useClient();
  const [form, setForm] = useState(emptyForm);
  const key = useRetryKey();
  const { birthDate } = replaced;
  const submission = useSubmit(
    async () => {
      const { counts: _, staged: __, participants: ___, ...patients } = preview;
      await client.corrections.merge({ ...patients, reason: form.reason.trim() }, { key });
      onMerged();
    },
    {
      fields: { reason: /reason/ },
      check: () => ({
        name: isSameName(form.name, replaced)
          ? undefined
          : 'This is not the name of the patient who is replaced.',
        born:
          birthDate === undefined || readDate(form.born) === birthDate
            ? undefined
            : 'This is not the birth date of the patient who is replaced.',
        reason: form.reason.trim() === '' ? 'Say why. Both charts show it.' : undefined,
      }),
      onConflict: onAgain,
    },
  );
  const field = createFields(form, submission, (changed) => setForm({ ...form, ...changed }));
  return (
    <EntryForm action="Merge the charts" submission={submission} onCancel={onCancel}>
      <TextField
        id="replaced-name"
        label="Name of the patient who is replaced"
        dir="auto"
        {...field('name')}
      />
      {birthDate !== undefined && (
        <DateField id="replaced-born" label="Birth date of this patient" {...field('born')} />
      )}
      <TextField
        id="reason"
        label="Why? It is kept for good: write nothing about the patients."
        dir="auto"
        {...field('reason')}
      />
    </EntryForm>
  );
};

/** Merges the chart of a patient who was registered twice into this one. */
export const MergeDialog = ({
  onClose,
  onMerged,
}: {
  readonly onClose: () => void;
  readonly onMerged: () => void;
}) => {
  const client = useClient();
  const patient = usePatient();
  const [replaced, setReplaced] = useState<Patient | null>(null);
  const read =
    replaced && (() => client.corrections.previewMerge({ patientId: replaced.id, toPatientId: patient.id }));
  const { preview, error, readAgain } = usePreview(read, replaced?.id);
  const leave = useLeave(replaced !== null, onClose);
  return (
    <Dialog title="Two charts of one person" onClose={leave}>
      {replaced === null && (
        <>
          <p>Everything in the other chart moves into this one, and the other patient is replaced.</p>
          <PatientChoice label="Merge in" onChoose={setReplaced} />
          <Corrections of={{ type: 'Patient', id: patient.id }} />
        </>
      )}
      <Alert sentence={error} />
      {replaced !== null && (
        <>
          <PatientsBeside columns={{ 'Is replaced': replaced, 'Keeps the chart': patient }} />
          {preview !== null && (
            <>
              <p>What moves: {countsInWords(preview)}, with the encounters and notes.</p>
              <p class="notice">
                <strong>This cannot be undone.</strong> Type who is replaced, so that nobody else is.
              </p>
              <MergeForm
                preview={preview}
                replaced={replaced}
                onAgain={readAgain}
                onCancel={() => setReplaced(null)}
                onMerged={onMerged}
              />
            </>
          )}
        </>
      )}
    </Dialog>
  );
};
