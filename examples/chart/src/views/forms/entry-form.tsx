import type { ComponentChildren } from 'preact';
import { GeneralErrors } from './field.tsx';
import { FormNotice } from './form-notice.tsx';
import type { Submit } from './use-submit.ts';

/** The form of a new entry, with the refusals that name no field, what is to be looked at again, and a way out. */
export const EntryForm = ({
  action,
  submission: { submit, isSending, errors, doubts, forgetDoubts },
  onCancel,
  children,
}: {
  /** The text of the button that sends the form. */
  readonly action: string;
  readonly submission: Submit;
  readonly onCancel: () => void;
  readonly children: ComponentChildren;
}) => (
  <>
    <GeneralErrors sentences={errors.general} />
    {doubts.length > 0 && (
      <FormNotice key={doubts.join()}>
        <p>
          <strong>Please look again:</strong>
        </p>
        {doubts.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </FormNotice>
    )}
    <form
      class="editor"
      noValidate
      inert={isSending}
      onInput={forgetDoubts}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {children}
      <p class="form-actions">
        <button type="submit" disabled={isSending}>
          {doubts.length > 0 ? `${action} anyway` : action}
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </p>
    </form>
  </>
);
