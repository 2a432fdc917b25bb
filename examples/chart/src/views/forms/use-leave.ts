import { useEffect } from 'preact/hooks';

const question = 'You have not saved your changes. Throw them away?';

/** The forms that are open and have changes. */
const changed = new Set<symbol>();

/** Whether something is typed that is not saved. */
export const hasChanges = (): boolean => changed.size > 0;

/** Whether the user may go: nothing would be lost, or the user agrees. */
export const mayLeave = (): boolean => !hasChanges() || confirm(question);

/** Asks before changes that are not saved are thrown away: when the form is closed, and when the page is left or reloaded. */
export const useLeave = (isChanged: boolean, onLeave: () => void): (() => void) => {
  useEffect(() => {
    if (!isChanged) return;
    const form = Symbol('form');
    const keep = (event: Event) => event.preventDefault();
    changed.add(form);
    addEventListener('beforeunload', keep);
    return () => {
      changed.delete(form);
      removeEventListener('beforeunload', keep);
    };
  }, [isChanged]);
  return () => {
    if (!isChanged || confirm(question)) onLeave();
  };
};
