import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { RequestError } from '../../api/client.ts';
import { errorsByField, type FieldElements, type FieldErrors } from '../../model/outcome.ts';

const noErrors: FieldErrors = { byField: new Map(), general: [] };

/** A form that is sent: whether it is under way, what was refused, and what the user is to look at again. */
export type Submit = {
  readonly isSending: boolean;
  readonly errors: FieldErrors;
  /** Sentences about values that are not plausible. Submitted again, the form is sent as it is. */
  readonly doubts: readonly string[];
  readonly submit: () => Promise<void>;
  /** Asks again, because the form was changed. */
  readonly forgetDoubts: () => void;
};

type Sending = {
  readonly fields: FieldElements;
  /** The sentence for each field that is wrong before anything is sent; undefined for the others. */
  readonly check?: () => Readonly<Record<string, string | undefined>>;
  /** Sentences about values that are not plausible, about which the user is asked. */
  readonly doubtsOf?: () => readonly string[];
  readonly onConflict?: () => Promise<void>;
};

/** Sends a form. A refusal is shown at its fields, and the first one gets the focus; somebody else's change in between is for `onConflict`. */
export const useSubmit = (
  send: () => Promise<unknown>,
  { fields, check = () => ({}), doubtsOf = () => [], onConflict }: Sending,
): Submit => {
  const [isSending, setSending] = useState(false);
  const [errors, setErrors] = useState(noErrors);
  const [doubts, setDoubts] = useState<readonly string[]>([]);
  // Whether the user was asked about what the form says now, or there was nothing to ask.
  const isSettled = useRef(false);
  useLayoutEffect(() => {
    if (errors.byField.size > 0) document.querySelector<HTMLElement>('dialog [aria-invalid]')?.focus();
  }, [errors]);
  const submit = async () => {
    const wrong = Object.entries(check()).flatMap(([field, sentence]) =>
      sentence === undefined ? [] : [[field, [sentence]] as const],
    );
    setErrors({ byField: new Map(wrong), general: [] });
    if (wrong.length > 0) return;
    if (!isSettled.current) {
      isSettled.current = true;
      const raised = doubtsOf();
      setDoubts(raised);
      if (raised.length > 0) return;
    }
    setSending(true);
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
  const forgetDoubts = () => {
    isSettled.current = false;
    setDoubts([]);
  };
  return { isSending, errors, doubts, submit, forgetDoubts };
};
