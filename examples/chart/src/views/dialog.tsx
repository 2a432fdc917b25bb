import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { listedName } from '../model/names.ts';
import { detailsOf } from '../model/patients.ts';
import { usePatient } from './contexts.ts';

/** A dialog of the browser, which keeps the focus inside, closes by Escape, and gives the focus back. It may hide the patient's banner, so it names the patient. */
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
  const dialog = useRef<HTMLDialogElement>(null);
  // After the dialog has left the page, it could no longer give the focus back.
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
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
