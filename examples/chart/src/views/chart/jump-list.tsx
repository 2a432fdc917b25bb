import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useViewState } from '../section/view-state.tsx';

/** A section to go to: its id, its title, and what is worth knowing before. */
export type JumpTarget = {
  readonly id: string;
  readonly title: string;
  readonly count: number;
  readonly marks?: ComponentChildren;
};

/** Leads to each section, with a click or with Alt and its number, and says what must not be overlooked there. */
export const JumpList = ({ targets }: { readonly targets: readonly JumpTarget[] }) => {
  const { fold } = useViewState();
  const jump = (id: string) => {
    fold(id, false);
    const heading = document.getElementById(`${id}-heading`);
    heading?.focus({ preventScroll: true });
    // The heading itself may be stuck to the top, where it is in sight already.
    heading?.closest('section')?.scrollIntoView();
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { altKey, ctrlKey, metaKey, code, target } = event;
      const id = targets[Number(/^Digit([1-9])$/.exec(code)?.[1]) - 1]?.id;
      // In a field, the keys may write a character. A dialog hides the sections.
      const isElsewhere = (target as Element).matches('input, select, textarea, dialog *');
      if (id === undefined || !altKey || ctrlKey || metaKey || isElsewhere) return;
      event.preventDefault();
      jump(id);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  return (
    <nav class="jump-list" aria-label="Sections">
      {targets.map(({ id, title, count, marks }, index) => (
        <button
          key={id}
          type="button"
          title={`Alt+${index + 1}`}
          aria-keyshortcuts={`Alt+${index + 1}`}
          onClick={() => jump(id)}
        >
          {title} <span class="count secondary">{count}</span>
          {marks}
        </button>
      ))}
    </nav>
  );
};
