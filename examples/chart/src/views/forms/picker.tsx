import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { describedBy, type Field, FieldNote } from './field.tsx';

/** Something to choose from a list. */
export type Choice = { readonly key: string; readonly name: string; readonly detail: string };

const step: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The choices below the text. A click on one leaves the focus in the text. */
const Choices = ({
  id,
  choices,
  active,
  onChoose,
}: {
  readonly id: string;
  readonly choices: readonly Choice[];
  readonly active: Choice | undefined;
  readonly onChoose: (choice: Choice) => void;
}) => {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }),
    [active],
  );
  return (
    <div ref={list} id={id} class="choices-below" role="listbox" aria-label="Suggestions" tabIndex={-1}>
      {choices.map((choice) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text.
        <div
          key={choice.key}
          id={`${id}-${choice.key}`}
          role="option"
          tabIndex={-1}
          aria-selected={choice === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(choice)}
        >
          <bdi dir="auto">{choice.name}</bdi> <span class="secondary">{choice.detail}</span>
        </div>
      ))}
    </div>
  );
};

/**
 * A text that finds something in a list, which is chosen by a click, or with the arrows and Enter. Source: ARIA Authoring Practices,
 * "Combobox".
 */
export const Picker = ({
  id,
  label,
  placeholder,
  choices,
  hint,
  value,
  remark,
  onInput,
  onChoose,
}: {
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  /** What the text finds; empty once something is chosen. */
  readonly choices: readonly Choice[];
  /** What the text means. */
  readonly hint: string;
  readonly onChoose: (choice: Choice) => void;
} & Field) => {
  const [isFocused, setFocused] = useState(false);
  const [at, setAt] = useState(-1);
  const listId = useId();
  const isOpen = isFocused && choices.length > 0;
  const active = isOpen ? choices[at] : undefined;
  const show = (isShown: boolean) => {
    setFocused(isShown);
    setAt(-1);
  };
  const choose = (choice: Choice) => {
    show(false);
    onChoose(choice);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = step[event.key];
    if (by !== undefined) {
      setAt(isOpen ? (at + by + choices.length) % choices.length : 0);
      setFocused(true);
    } else if (event.key === 'Enter' && active !== undefined) choose(active);
    else if (event.key === 'Escape' && isOpen) show(false);
    else return;
    // Otherwise, Enter would send the form, and Escape close it.
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="field picker">
      <label for={id}>{label}</label>
      <input
        id={id}
        role="combobox"
        autocomplete="off"
        dir="auto"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={active && `${listId}-${active.key}`}
        placeholder={placeholder}
        value={value}
        {...describedBy(`${id}-error`, remark)}
        onInput={(event) => {
          show(true);
          onInput(event.currentTarget.value);
        }}
        onClick={() => setFocused(true)}
        onBlur={() => show(false)}
        onKeyDown={onKeyDown}
      />
      {isOpen && <Choices id={listId} choices={choices} active={active} onChoose={choose} />}
      <p class="understood secondary" aria-live="polite">
        {isOpen ? `${choices.length} to choose from` : hint}
      </p>
      <FieldNote id={`${id}-error`} remark={remark} />
    </div>
  );
};
