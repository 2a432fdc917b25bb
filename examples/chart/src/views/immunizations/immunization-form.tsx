import { useState } from 'preact/hooks';
import { dayOf, formatDay } from '../../model/dates/dates.ts';
import { type GivenDose, immunizeCommand, readAmount } from '../../model/immunization/given-dose.ts';
import { statementBody } from '../../model/immunization/immunization-bodies.ts';
import { doseDoubts, givenDoubts } from '../../model/immunization/plausibility.ts';
import type { Immunization } from '../../model/resources.ts';
import { useClient, usePatient, useUser } from '../contexts.ts';
import { Dialog } from '../dialog.tsx';
import { DateField, dateSentence, readDate } from '../forms/date-field.tsx';
import { EntryForm } from '../forms/entry-form.tsx';
import { createFields, describedBy, type Field, FieldNote } from '../forms/field.tsx';
import { useLeave } from '../forms/use-leave.ts';
import { useRetryKey } from '../forms/use-retry-key.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { GivenFields } from './given-fields.tsx';
import { type Source, SourceField } from './source-field.tsx';
import { VaccineField } from './vaccine-field.tsx';

const fields = {
  vaccine: /^(Immunization|Command)\.vaccineCode/,
  date: /^(Immunization|Command)\.occurrence/,
  note: /^(Immunization|Command)\.note/,
  lotNumber: /^Command\.lotNumber/,
  site: /^Command\.site/,
  route: /^Command\.route/,
  amount: /^Command\.doseQuantity/,
};

const empty: GivenDose = {
  ...{ vaccine: '', date: '', note: '' },
  ...{ lotNumber: '', site: '', route: '', amount: '', unit: 'mL' },
};

/** The form before anything is typed. A dose that is given here is mostly one of today. */
const emptyOf = (source: Source): GivenDose =>
  source === 'here' ? { ...empty, date: formatDay(dayOf(new Date())) } : empty;

const NoteField = ({ value, remark, onInput }: Field) => (
  <>
    <label for="note">Comment</label>
    <textarea
      id="note"
      rows={3}
      dir="auto"
      value={value}
      {...describedBy('note-error', remark)}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
    <FieldNote id="note-error" remark={remark} />
  </>
);

/** Records a dose that was given in this clinic, or one that was given elsewhere. */
export const ImmunizationForm = ({
  recorded,
  onClose,
  onSaved,
}: {
  readonly recorded: readonly Immunization[];
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}) => {
  const client = useClient();
  const patient = usePatient();
  const { practitionerId } = useUser();
  const [source, setSource] = useState<Source>('here');
  const [typed, setTyped] = useState<Partial<GivenDose>>({});
  const form = { ...emptyOf(source), ...typed };
  const leave = useLeave(Object.keys(typed).length > 0, onClose);
  const retryKey = useRetryKey();
  const date = readDate(form.date);
  const dose = { ...form, date: date ?? '' };
  const statement = statementBody(patient.id, dose);
  const isHere = source === 'here';
  const command = immunizeCommand({ patientId: patient.id, practitionerId }, dose);
  const record = async (): Promise<string> => {
    const options = { key: retryKey };
    if (isHere) return (await client.commands.record(command, options)).resourceId;
    return (await client.create('Immunization', statement, options)).id;
  };
  const submission = useSubmit(async () => onSaved(await record()), {
    fields,
    check: () => ({
      vaccine: form.vaccine.trim() === '' ? 'Choose a vaccine, or write its name.' : undefined,
      date: date === '' || date === null ? dateSentence : undefined,
      amount: isHere && readAmount(form.amount) === null ? 'Write a number such as 0.5.' : undefined,
    }),
    validate: () =>
      isHere ? client.commands.validateRecord(command) : client.validateCreate('Immunization', statement),
    doubtsOf: () => [
      ...doseDoubts(statement, patient, { recorded, today: dayOf(new Date()) }),
      ...(isHere ? givenDoubts(dose) : []),
    ],
  });
  const field = createFields(form, submission, (changed) => setTyped({ ...typed, ...changed }));
  return (
    <Dialog title="Record an immunization" onClose={leave}>
      <EntryForm action="Record" submission={submission} onCancel={leave}>
        <SourceField value={source} onChange={setSource} />
        <VaccineField {...field('vaccine')} />
        <DateField id="date" label="When" {...field('date')} />
        {isHere && <GivenFields field={field} />}
        <NoteField {...field('note')} />
      </EntryForm>
    </Dialog>
  );
};
