import { useState } from 'preact/hooks';
import { dayOf, formatDay } from '../../model/dates/dates.ts';
import { vaccineNamed } from '../../model/immunization/find-vaccines.ts';
import { type GivenDose, immunizeCommand, readAmount } from '../../model/immunization/given-dose.ts';
import { statementBody } from '../../model/immunization/immunization-bodies.ts';
import { notGivenCommand, reasons } from '../../model/immunization/not-given.ts';
import { doseDoubts, givenDoubts, unlistedDoubts } from '../../model/immunization/plausibility.ts';
import type { Immunization } from '../../model/resources.ts';
import { useClient, usePatient, useUser } from '../contexts.ts';
import { Dialog } from '../dialog.tsx';
import { DateField, dateSentence, momentSentence, readDate, readMoment } from '../forms/date-field.tsx';
import { EntryForm } from '../forms/entry-form.tsx';
import { createFields, describedBy, type Field, FieldNote, SelectField } from '../forms/field.tsx';
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
  expiry: /^Command\.expirationDate/,
  reason: /^Command\.statusReason/,
  site: /^Command\.site/,
  route: /^Command\.route/,
  amount: /^Command\.doseQuantity/,
};

/** The fields as they are typed. With `other`, the vaccine is not in the list. */
type Fields = GivenDose & { readonly reason: string; readonly other: string };

const empty: Fields = {
  ...{ vaccine: '', other: '', date: '', note: '', reason: '' },
  ...{ lotNumber: '', expiry: '', site: '', route: '', amount: '', unit: 'mL' },
};

/** The form before anything is typed. What is given here, or declined, is mostly of today. */
const emptyOf = (source: Source): Fields =>
  source === 'reported' ? empty : { ...empty, date: formatDay(dayOf(new Date())) };

const missingVaccine = ({ vaccine, other }: Fields): string | undefined => {
  if (vaccine.trim() === '') return 'Choose a vaccine from the list.';
  const isChosen = other !== '' || vaccineNamed(vaccine) !== undefined;
  return isChosen ? undefined : 'Choose a vaccine from the list, or “Other” at its end.';
};

const NoteField = ({ value, remark, onInput }: Field) => (
  <div class="field">
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
  </div>
);

/** Records a dose that was given in this clinic, one that was given elsewhere, or a vaccine that was not given. */
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
  const [typed, setTyped] = useState<Partial<Fields>>({});
  const form = { ...emptyOf(source), ...typed };
  const leave = useLeave(Object.keys(typed).length > 0, onClose);
  const retryKey = useRetryKey();
  const [date, expiry] = [readMoment(form.date), readDate(form.expiry)];
  const dose = { ...form, date: date ?? '', expiry: expiry ?? '' };
  const statement = statementBody(patient.id, dose);
  const isHere = source === 'here';
  const command = isHere
    ? immunizeCommand({ patientId: patient.id, practitionerId }, dose)
    : notGivenCommand(patient.id, dose);
  const record = async (): Promise<string> => {
    const options = { key: retryKey };
    if (source === 'reported') return (await client.create('Immunization', statement, options)).id;
    return (await client.commands.record(command, options)).resourceId;
  };
  const submission = useSubmit(async () => onSaved(await record()), {
    fields,
    check: () => ({
      vaccine: missingVaccine(form),
      date: date === '' || date === null ? momentSentence : undefined,
      reason: source === 'not-given' && form.reason === '' ? 'Choose why.' : undefined,
      expiry: isHere && expiry === null ? dateSentence : undefined,
      amount: isHere && readAmount(form.amount) === null ? 'Write a number such as 0.5.' : undefined,
    }),
    validate: () =>
      source === 'reported'
        ? client.validateCreate('Immunization', statement)
        : client.commands.validateRecord(command),
    doubtsOf: () => [
      ...doseDoubts(statement, patient, { recorded, now: new Date() }),
      ...(source === 'reported' ? [] : unlistedDoubts(form.vaccine)),
      ...(isHere ? givenDoubts(dose, readAmount(form.amount) ?? undefined) : []),
    ],
  });
  const change = (changed: Partial<Fields>) => {
    setTyped({ ...typed, ...changed });
    submission.forgetDoubts();
  };
  // Other words are another vaccine.
  const field = createFields(form, submission, (changed) =>
    change(changed.vaccine === undefined ? changed : { ...changed, other: '' }),
  );
  return (
    <Dialog title="Record an immunization" onClose={leave}>
      <EntryForm action="Record" submission={submission} onCancel={leave}>
        <SourceField value={source} onChange={setSource} />
        <VaccineField
          isOther={form.other !== ''}
          onOther={() => change({ other: form.vaccine })}
          {...field('vaccine')}
        />
        <DateField id="date" label="When" hasTime {...field('date')} />
        {isHere && <GivenFields field={field} />}
        {source === 'not-given' && (
          <SelectField id="reason" label="Why not" none="Choose" options={reasons} {...field('reason')} />
        )}
        <NoteField {...field('note')} />
      </EntryForm>
    </Dialog>
  );
};
