import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** Something to do from a menu. */
export type MenuItem = { readonly text: string; readonly onChoose: () => void };

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
  useEffect(() => {
    if (!isOpen) return;
    root.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    const closeOutside = ({ target }: Event) => {
      if (!root.current?.contains(target as Node)) setOpen(false);
    };
    addEventListener('pointerdown', closeOutside);
    addEventListener('focusin', closeOutside);
    return () => {
      removeEventListener('pointerdown', closeOutside);
      removeEventListener('focusin', closeOutside);
    };
  }, [isOpen]);
  const close = () => {
    // A dialog that the item opens gives the focus back to the button.
    button.current?.focus();
    setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') close();
    else if (step !== undefined) {
      const choices = [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
      const next = choices.indexOf(document.activeElement as HTMLElement) + step;
      choices.at(next % choices.length)?.focus();
    } else return;
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
