import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../dialog.tsx';
import { EntryForm } from './entry-form.tsx';
import { TextField } from './field.tsx';
import { useLeave } from './use-leave.ts';
import { useSubmit } from './use-submit.ts';

/** Asks why something ends, which the history shows. Nothing is deleted. */
export const ReasonDialog = ({
  title,
  action,
  send,
  onConflict,
  onClose,
  children,
}: {
  readonly title: string;
  readonly action: string;
  readonly send: (reason: string) => Promise<unknown>;
  readonly onConflict?: () => Promise<void>;
  readonly onClose: () => void;
  /** What ends, and what that means. */
  readonly children: ComponentChildren;
}) => {
  const [reason, setReason] = useState('');
  const leave = useLeave(reason !== '', onClose);
  const submission = useSubmit(() => send(reason.trim()), {
    fields: { reason: /reason/ },
    check: () => ({ reason: reason.trim() === '' ? 'Say why. The history shows it.' : undefined }),
    ...(onConflict !== undefined && { onConflict }),
  });
  return (
    <Dialog title={title} onClose={leave}>
      {children}
      <EntryForm action={action} submission={submission} onCancel={leave}>
        <TextField
          id="reason"
          label="Why?"
          dir="auto"
          value={reason}
          remark={submission.errors.byField.get('reason')}
          onInput={setReason}
        />
      </EntryForm>
    </Dialog>
  );
};
