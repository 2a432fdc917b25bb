import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Opens a dialog of the browser, which gives its first field the focus, keeps it inside, closes with Escape, and gives the focus back. */
export const useModal = (): RefObject<HTMLDialogElement | null> => {
  const dialog = useRef<HTMLDialogElement>(null);
  // After the dialog has left the page, it could no longer give the focus back.
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    opened
      ?.querySelector<HTMLElement>('form :is(input:checked, input:not([type=radio]), select, textarea)')
      ?.focus();
    return () => opened?.close();
  }, []);
  return dialog;
};
