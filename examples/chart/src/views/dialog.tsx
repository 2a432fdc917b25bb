import type { ComponentChildren } from 'preact';
import { listedName } from '../model/names.ts';
import { detailsOf } from '../model/patients.ts';
import { usePatient } from './contexts.ts';
import { useModal } from './use-modal.ts';

/** A dialog about the chart. It may hide the banner of the patient, so it names the patient. */
export const Dialog = ({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  /** Closes the dialog, unless the user keeps it because of changes in it. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) => {
  const patient = usePatient();
  const dialog = useModal();
  return (
    <dialog
      ref={dialog}
      aria-labelledby="dialog-heading"
      aria-describedby="dialog-patient"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        // A browser closes a dialog at the second Escape, whatever the page says.
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <div>
          <h2 id="dialog-heading" dir="auto">
            {title}
          </h2>
          <p id="dialog-patient" class="secondary">
            <bdi dir="auto">{listedName(patient.name)}</bdi> · {detailsOf(patient)}
          </p>
        </div>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  );
};
