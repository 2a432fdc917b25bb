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
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) => {
  const patient = usePatient();
  const dialog = useModal();
  return (
    <dialog ref={dialog} aria-labelledby="dialog-heading" aria-describedby="dialog-patient" onClose={onClose}>
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
