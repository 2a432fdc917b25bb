import type { ComponentChildren } from 'preact';
import { GeneralErrors } from './field.tsx';
import type { Submit } from './use-submit.ts';

/** The form of a new entry, with the refusals that name no field, and a way out. */
export const EntryForm = ({
  action,
  submission: { submit, isSending, errors },
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
    <form
      class="editor"
      noValidate
      inert={isSending}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {children}
      <p class="form-actions">
        <button type="submit" disabled={isSending}>
          {action}
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </p>
    </form>
  </>
);
