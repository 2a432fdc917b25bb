import { useLayoutEffect, useState } from 'preact/hooks';
import { RequestError } from '../../api/client.ts';
import { errorsByField, type FieldElements, type FieldErrors } from '../../model/outcome.ts';

const noErrors: FieldErrors = { byField: new Map(), general: [] };

/** A form that is sent: whether it is under way, and what the server refused. */
export type Submit = {
  readonly isSending: boolean;
  readonly errors: FieldErrors;
  readonly submit: () => Promise<void>;
};

/** Sends a form. A refusal is shown at its fields, and the first one gets the focus; somebody else's change in between is for `onConflict`. */
export const useSubmit = (
  send: () => Promise<unknown>,
  { fields, onConflict }: { readonly fields: FieldElements; readonly onConflict?: () => Promise<void> },
): Submit => {
  const [isSending, setSending] = useState(false);
  const [errors, setErrors] = useState(noErrors);
  useLayoutEffect(() => {
    if (errors.byField.size > 0) document.querySelector<HTMLElement>('dialog [aria-invalid]')?.focus();
  }, [errors]);
  const submit = async () => {
    setSending(true);
    setErrors(noErrors);
    try {
      await send().catch((cause) => {
        if (cause instanceof RequestError && cause.status === 412 && onConflict !== undefined)
          return onConflict();
        throw cause;
      });
    } catch (cause) {
      const isRefusal = cause instanceof RequestError && cause.outcome.issue.length > 0;
      setErrors(
        isRefusal
          ? errorsByField(cause.outcome, fields)
          : { byField: new Map(), general: [(cause as Error).message] },
      );
    }
    setSending(false);
  };
  return { isSending, errors, submit };
};
