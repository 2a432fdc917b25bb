import { type OutcomeIssue, RequestError } from '@clinical-records/client';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { errorWords } from '../../model/error-words.ts';
import { type FieldElements, type FormRemarks, noRemarks, remarksOf } from '../../model/outcome.ts';

/** A form that is sent: whether it is under way, what was refused, and what the user is to look at again. */
export type Submit = {
  readonly isSending: boolean;
  /** The remarks on values that were refused. */
  readonly errors: FormRemarks;
  /** Sentences about values that are not plausible. Submitted again, the form is sent as it is. */
  readonly doubts: FormRemarks;
  /** Whether the user is asked about doubts. */
  readonly isAsking: boolean;
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
  /** Asks the server what it would say. Its warnings are doubts, too. Its refusals are shown when the form is sent. */
  readonly validate?: () => Promise<readonly OutcomeIssue[]>;
  readonly onConflict?: () => Promise<void>;
};

const isEmpty = ({ byField, general }: FormRemarks): boolean => byField.size === 0 && general.length === 0;

/** Sends a form. A refusal is shown at its fields, and the first one gets the focus; somebody else's change in between is for `onConflict`. */
export const useSubmit = (
  send: () => Promise<unknown>,
  { fields, check = () => ({}), doubtsOf = () => [], validate = async () => [], onConflict }: Sending,
): Submit => {
  const [isSending, setSending] = useState(false);
  const [errors, setErrors] = useState(noRemarks);
  const [doubts, setDoubts] = useState(noRemarks);
  // Whether the user was asked about what the form says now, or there was nothing to ask.
  const isSettled = useRef(false);
  useLayoutEffect(() => {
    if (errors.byField.size > 0) document.querySelector<HTMLElement>('dialog [aria-invalid]')?.focus();
  }, [errors]);

  /** The doubts of the page and of the server. If the server cannot be asked, it says so when the form is sent. */
  const findDoubts = async (): Promise<FormRemarks> => {
    const { byField, general } = remarksOf(await validate().catch(() => []), fields, 'warning');
    return { byField, general: [...doubtsOf(), ...general] };
  };

  /** Sends the form, and returns what was refused. */
  const sendForm = async (): Promise<FormRemarks> => {
    try {
      await send().catch((cause) => {
        if (cause instanceof RequestError && cause.status === 412 && onConflict !== undefined)
          return onConflict();
        throw cause;
      });
      return noRemarks;
    } catch (cause) {
      const isRefusal = cause instanceof RequestError && cause.issues.length > 0;
      return isRefusal ? remarksOf(cause.issues, fields) : { ...noRemarks, general: [errorWords(cause)] };
    }
  };

  const submit = async () => {
    const wrong = Object.entries(check()).flatMap(([field, sentence]) =>
      sentence === undefined ? [] : [[field, { isDoubt: false, sentences: [sentence] }] as const],
    );
    setErrors({ ...noRemarks, byField: new Map(wrong) });
    if (wrong.length > 0) return;
    setSending(true);
    const raised = isSettled.current ? noRemarks : await findDoubts();
    isSettled.current = true;
    const refused = isEmpty(raised) ? await sendForm() : noRemarks;
    setDoubts(raised);
    setErrors(refused);
    setSending(false);
  };
  const forgetDoubts = () => {
    isSettled.current = false;
    setDoubts(noRemarks);
  };
  return { isSending, errors, doubts, isAsking: !isEmpty(doubts), submit, forgetDoubts };
};
