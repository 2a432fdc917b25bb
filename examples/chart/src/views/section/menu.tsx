import type { RefObject } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** Something to do from a menu. */
export type MenuItem = { readonly text: string; readonly onChoose: () => void };

const itemsIn = ({ current }: RefObject<HTMLElement | null>): readonly HTMLElement[] => [
  ...(current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
];

/** Moves the focus by one item, from the last to the first and back. */
const moveFocus = (items: readonly HTMLElement[], step: number): void => {
  const next = items.indexOf(document.activeElement as HTMLElement) + step;
  items.at(next % items.length)?.focus();
};

/** Gives an open menu the focus, and closes it when something happens elsewhere. */
const useOpenMenu = (root: RefObject<HTMLElement | null>, isOpen: boolean, onClose: () => void): void => {
  useEffect(() => {
    if (!isOpen) return;
    itemsIn(root)[0]?.focus();
    const closeOutside = ({ target }: Event) => {
      if (!root.current?.contains(target as Node)) onClose();
    };
    addEventListener('pointerdown', closeOutside);
    addEventListener('focusin', closeOutside);
    return () => {
      removeEventListener('pointerdown', closeOutside);
      removeEventListener('focusin', closeOutside);
    };
  }, [isOpen]);
};

/** Actions that are not needed often, behind one button. Arrows go from item to item; Escape and a click elsewhere close it. */
export const Menu = ({
  label,
  text,
  items,
}: {
  /** The name of the button for a screen reader, such as `Actions: Tdap, May 2019`. */
  readonly label: string;
  /** The text of the button; three dots without it. */
  readonly text?: string;
  readonly items: readonly MenuItem[];
}) => {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useOpenMenu(root, isOpen, () => setOpen(false));
  const close = () => {
    // A dialog that the item opens gives the focus back to the button.
    button.current?.focus();
    setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') close();
    else if (step !== undefined) moveFocus(itemsIn(root), step);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the items in it.
    <div ref={root} class="menu" onKeyDown={isOpen ? onKeyDown : undefined}>
      <button
        ref={button}
        type="button"
        class={text === undefined ? 'quiet' : undefined}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {text ?? <Icon name="more" />}
      </button>
      {isOpen && (
        <div id={id} class="menu-items" role="menu" aria-label={label}>
          {items.map(({ text: itemText, onChoose }) => (
            <button
              key={itemText}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                close();
                onChoose();
              }}
            >
              {itemText}
            </button>
          ))}
        </div>
      )}
    </div>
  );
};
