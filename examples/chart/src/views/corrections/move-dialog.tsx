import type { MovePreview } from '@clinical-records/client';
import { useState } from 'preact/hooks';
import { leftBehind } from '../../model/corrections.ts';
import { listedName } from '../../model/names.ts';
import type { Patient } from '../../model/resources.ts';
import { Alert } from '../alert.tsx';
import { useClient, usePatient } from '../contexts.ts';
import { Dialog } from '../dialog.tsx';
import { EntryForm } from '../forms/entry-form.tsx';
import { TextField } from '../forms/field.tsx';
import { useLeave } from '../forms/use-leave.ts';
import { useRetryKey } from '../forms/use-retry-key.ts';
import { useSubmit } from '../forms/use-submit.ts';
import type { Retractable } from '../history/retraction-dialog.tsx';
import { PatientChoice, PatientsBeside } from './patient-choice.tsx';
import { usePreview } from './use-preview.ts';

/** Asks for the reason, and moves the record. */
const MoveForm = ({
  preview,
  patient,
  onAgain,
  onCancel,
  onMoved,
}: {
  readonly preview: MovePreview;
  readonly patient: Patient;
  readonly onAgain: () => Promise<void>;
  readonly onCancel: () => void;
  readonly onMoved: () => void;
}) => {
  const client = useClient();
  const [reason, setReason] = useState('');
  const key = useRetryKey();
  const submission = useSubmit(
    async () => {
      const { leaves: _, ...move } = preview;
      await client.corrections.move({ ...move, reason: reason.trim() }, { key });
      onMoved();
    },
    {
      fields: { reason: /reason/ },
      check: () => ({ reason: reason.trim() === '' ? 'Say why. Both charts show it.' : undefined }),
      onConflict: onAgain,
    },
  );
  return (
    <EntryForm action={`Move to ${listedName(patient.name)}`} submission={submission} onCancel={onCancel}>
      <TextField
        id="reason"
        label="Why? It is kept for good: write nothing about the patients."
        dir="auto"
        value={reason}
        remark={submission.errors.byField.get('reason')}
        onInput={setReason}
      />
    </EntryForm>
  );
};

/** Moves a record that is in the wrong chart to the right patient. */
export const MoveDialog = ({
  record,
  name,
  onClose,
  onMoved,
}: {
  readonly record: Retractable;
  readonly name: string;
  readonly onClose: () => void;
  readonly onMoved: () => void;
}) => {
  const client = useClient();
  const { id: patientId, ...patient } = usePatient();
  const [to, setTo] = useState<Patient | null>(null);
  const named = { resourceType: record.resourceType, resourceId: record.id, patientId };
  const read = to && (() => client.corrections.previewMove({ ...named, toPatientId: to.id }));
  const { preview, error, readAgain } = usePreview(read, to?.id);
  const leave = useLeave(to !== null, onClose);
  return (
    <Dialog title="Move to the right patient" onClose={leave}>
      <p>
        <strong dir="auto">{name}</strong> leaves this chart, and is in the chart of the other patient from
        then on.
      </p>
      {to === null && <PatientChoice label="Move to" onChoose={setTo} />}
      <Alert sentence={error} />
      {to !== null && (
        <>
          <PatientsBeside
            columns={{ 'From this chart': { id: patientId, ...patient }, 'To this chart': to }}
          />
          {preview !== null && preview.leaves.length > 0 && (
            <p>Left out, because it belongs to this chart: {leftBehind(preview.leaves)}.</p>
          )}
          {preview !== null && (
            <MoveForm
              preview={preview}
              patient={to}
              onAgain={readAgain}
              onCancel={() => setTo(null)}
              onMoved={onMoved}
            />
          )}
        </>
      )}
    </Dialog>
  );
};
