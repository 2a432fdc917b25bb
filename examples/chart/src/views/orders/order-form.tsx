import { useState } from 'preact/hooks';
import { type OrderFields, orderCommand, orderKinds, urgencies } from '../../model/orders.ts';
import { useClient, usePatient } from '../contexts.ts';
import { Dialog } from '../dialog.tsx';
import { DateField, dateSentence, readDate } from '../forms/date-field.tsx';
import { EntryForm } from '../forms/entry-form.tsx';
import { createFields, SelectField, TextField } from '../forms/field.tsx';
import { useLeave } from '../forms/use-leave.ts';
import { useRetryKey } from '../forms/use-retry-key.ts';
import { useSubmit } from '../forms/use-submit.ts';

const fields = {
  kind: /^Command\.kind/,
  text: /^Command\.code/,
  start: /^Command\.occurrencePeriod(\.start)?$/,
  end: /^Command\.occurrencePeriod\.end/,
  priority: /^Command\.priority/,
  note: /^Command\.note/,
};

const emptyOrder: OrderFields = { kind: 'labOrder', text: '', start: '', end: '', priority: '', note: '' };

/** Stages an order: a draft, which takes effect once it is committed. */
export const OrderForm = ({
  onClose,
  onStaged,
}: {
  readonly onClose: () => void;
  readonly onStaged: () => void;
}) => {
  const client = useClient();
  const patient = usePatient();
  const [order, setOrder] = useState(emptyOrder);
  const retryKey = useRetryKey(order);
  const leave = useLeave(order !== emptyOrder, onClose);
  const [start, end] = [readDate(order.start), readDate(order.end)];
  const submission = useSubmit(
    async () => {
      const command = orderCommand(patient.id, { ...order, start: start ?? '', end: end ?? '' });
      await client.commands.stage(command, { key: retryKey });
      onStaged();
    },
    {
      fields,
      check: () => ({
        text: order.text.trim() === '' ? 'Write down what is ordered.' : undefined,
        start: start === null ? dateSentence : undefined,
        end: end === null ? dateSentence : undefined,
      }),
    },
  );
  const field = createFields(order, submission, (changed) => setOrder({ ...order, ...changed }));
  return (
    <Dialog title="Add an order" onClose={leave}>
      <p class="secondary">First as a draft, which you read again before you commit it.</p>
      <EntryForm action="Stage as a draft" submission={submission} onCancel={leave}>
        <SelectField id="order-kind" label="Kind" options={orderKinds} {...field('kind')} />
        <TextField id="order-text" label="What is ordered" dir="auto" {...field('text')} />
        <DateField id="order-start" label="From" {...field('start')} />
        <DateField id="order-end" label="Until" {...field('end')} />
        <SelectField
          id="order-priority"
          label="Priority"
          none="Routine"
          options={urgencies}
          {...field('priority')}
        />
        <TextField id="order-note" label="Remarks" dir="auto" {...field('note')} />
      </EntryForm>
    </Dialog>
  );
};
