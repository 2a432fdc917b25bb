import type { ComponentChildren } from 'preact';
import { GeneralErrors } from './field.tsx';
import { FormNotice } from './form-notice.tsx';
import type { Submit } from './use-submit.ts';

/** What the user is to look at again. That at a field is shown there. */
export const DoubtNotice = ({
  submission: { doubts, isAsking },
}: {
  readonly submission: Pick<Submit, 'doubts' | 'isAsking'>;
}) =>
  isAsking ? (
    <FormNotice key={doubts.general.join()}>
      <p>
        <strong>Please look again:</strong>
      </p>
      {doubts.general.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {doubts.byField.size > 0 && <p>Read the notes at the fields.</p>}
    </FormNotice>
  ) : null;

/** The form of a new entry, with the refusals that name no field, what is to be looked at again, and a way out. */
export const EntryForm = ({
  action,
  submission,
  onCancel,
  children,
}: {
  /** The text of the button that sends the form. */
  readonly action: string;
  readonly submission: Submit;
  readonly onCancel: () => void;
  readonly children: ComponentChildren;
}) => {
  const { submit, isSending, errors, isAsking, forgetDoubts } = submission;
  return (
    <>
      <GeneralErrors sentences={errors.general} />
      <DoubtNotice submission={submission} />
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
        <div class="fields">{children}</div>
        <p class="form-footer">
          <button type="submit" disabled={isSending}>
            {isAsking ? `${action} anyway` : action}
          </button>
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        </p>
      </form>
    </>
  );
};
